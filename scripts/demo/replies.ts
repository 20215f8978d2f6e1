/** What the guides of the demo have replied to some of its reviews: always the same texts to the same reviews. */
import { clockTime } from "../../app/infra/zones";
import { random } from "./random";
import { DEMO_ZONE } from "./tours";
import type { ImportFile, ImportReview } from "./index";

export interface DemoReply {
  reviewId: string;
  tourId: string;
  userId: string;
  text: string;
  createdAt: string;
  reviewedAt: string;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How likely a reply is that fits any review, to one with a comment and to one without. */
const COMMENTED_SHARE = 0.12;
const SILENT_SHARE = 0.05;

/** How often one of the texts that fit any review is used. */
const MOST_USES = 3;

/** Replies to one particular comment, by how it begins. */
export const ownReplies: [comment: string, reply: string][] = [
  // Porto Sarrava by lantern, the market, street food: Ilaria
  [
    "Ilaria clearly knows everything",
    "Fair point. In high summer I now keep the family trees for those who ask, and let the alleys do more of the talking. Thank you for staying awake until the salt store!",
  ],
  [
    "Nice idea. On the night we went there was a wedding",
    "A wedding and the cup final on one evening: even the ghosts gave up. If you are ever here in winter, write to me. It is a different town then.",
  ],
  [
    "We had told them about my mother's knee",
    "I am sorry, and you are right: somebody should have told you. The message never reached me, which is no excuse. The page now gives the number of steps, and I ask every group about stairs before the first one. Please give my best to your mother.",
  ],
  [
    "We stood at the anchor at the other end",
    "This one still bothers me. Two anchors, and I had never thought of the other one. The confirmation now has a map and a photo of ours, and a number that rings in my pocket. I am sorry about your last evening.",
  ],
  [
    "My feet found the steps",
    "Between ourselves: I have been saying that about the syrup for years, and nobody on this quay will hear of it.",
  ],
  [
    "It was a Monday and half the fish stalls",
    "You are right about Mondays: the boats do not go out on Sunday night. It says so in the description now.",
  ],
  [
    "I had written that I am allergic to nuts",
    "This must not happen, and I am very sorry that it did. Your note was in the booking and I had not passed it on. Allergies are now on a list at the kitchen door, and Teresa reads it aloud before anybody touches a knife.",
  ],
  [
    "Food great, but you stand all the time",
    "I hear you, and so does my own back. There are four stools in the anchovy cellar since May, and nobody will ask why you need one.",
  ],
  [
    "Two of the seven stops were closed",
    "I knew of one and not of the other, and should have told you about both at the start. In August I now say beforehand which doors are shut, and the ice cream comes on top.",
  ],
  // On the water: Matteo
  [
    "A fine old boat, well kept",
    "She thanks you. More sail than engine is what we hope for every evening; the wind has its own opinion.",
  ],
  [
    "A motor trip, in our case",
    "No wind, no sailing, and I like it as little as you do. When the forecast says flat calm I now write the evening before, and you can choose another day.",
  ],
  [
    "Cancelled twice on the day",
    "Three evenings of your week, and I am sorry for each of them. I decide at five because the wind here does. But I could have told you at noon that it looked bad, and now I do.",
  ],
  [
    "The boat left without us",
    "We wait ten minutes for everybody who has booked, and that evening I did not. I am sorry. Your refund had been waiting for my signature; it went out today.",
  ],
  [
    "It rocked so badly between the caves",
    "You are right that a question in front of ten strangers is no real question. I now decide it myself, and earlier. I am sorry about that morning.",
  ],
  [
    "My wife can't swim well",
    "Twenty-five minutes alone in the dark is not acceptable, and I apologise to your wife. There are two of us on the boat now whenever anybody stays aboard.",
  ],
  [
    "Phone ruined, camera ruined",
    "I did not mean to shrug. There are dry bags for everyone on board now, and nobody sits at the bow without one. I am sorry about the camera.",
  ],
  [
    "Hardly a word of English",
    "Thank you for the honest words. When I cannot come along, my niece does; she studied in Leeds and knows every net.",
  ],
  // Caves and rock: Tomáš
  [
    "I'm glad to have done it and equally glad",
    "That is the best description of the Letterbox that I have read. May I quote it?",
  ],
  [
    "I turned back at the Letterbox",
    "Turning back was the right decision, and nobody should pay for it with two cold hours. There is a second way now, to the upper hall and back, for everybody who says no at the Letterbox.",
  ],
  [
    "A nightmare, and I mean it",
    "I am sorry that I did not see it sooner. There is a bench outside with a slot of the same height now; we all lie in it before we go in. I hope you are well.",
  ],
  [
    "I don't doubt that the guide is competent",
    "You said that you were not sure, and I should have stopped there. I have changed what I answer: whoever is not sure stays outside with my colleague, and gets the money back. Thank you for writing it down so calmly.",
  ],
  [
    "If you've done ferratas in the mountains",
    "True: for somebody with your experience the boulder is an hour too long. Tell us when you book next time, and you start at the first bridge.",
  ],
  // Bicycles: Noor
  [
    "No bike in my size",
    "Twice given, twice overlooked: I am sorry. We have bought two small frames, and each bike now has a name tag on it the evening before.",
  ],
  [
    "Lost the group at the second roundabout",
    "We counted at the start and at the end, and never in between. Now the last rider wears a yellow vest and is one of us. I apologise.",
  ],
  [
    "Nine stops of three minutes",
    "You are right, nine are too many. We stop at six now, and get off the bikes at each.",
  ],
  // Children: Pia
  [
    "My nearly eleven-year-old felt too old",
    "Tell your detective that I am looking for an assistant: those from ten on may now run the investigation with me.",
  ],
  ["It was the dog whelk", "Case closed. The dog whelk has been informed and denies everything."],
  [
    "It rained, and the footprints",
    "Footprints in the rain were not my best idea. They are painted stones now, and the rain only makes them shine.",
  ],
  // Birds, palaces, wine, bread, paths
  [
    "No flamingos, they were away",
    "Off to the Camargue, without a note. I write the evening before now what was seen that day, so that you can decide whether five o'clock is worth it.",
  ],
  [
    "For real enthusiasts",
    "I plead guilty to the forty minutes. It was a Temminck's stint, if that is any comfort. (It is not, I know.)",
  ],
  [
    "One of the three cellars was closed",
    "We should have said so when you paid, and taken something off the price. Both happen now. Come and see the third cellar as my guest.",
  ],
  [
    "The palace with the famous staircase",
    "You are right, and I was as disappointed as you were. The owners now tell me a month ahead; on such days I offer another date before anybody pays.",
  ],
  [
    "Beautiful country, but the group was very mixed",
    "Thank you. From this spring there is a slow Saturday and a brisk Sunday, so that nobody has to wait at a shrine, or to hurry past one.",
  ],
  [
    "It got extremely cold on the blankets",
    "It does, even in June. There are sheepskins and hot tea at the top now. I hope that the stars forgive us both.",
  ],
];

/** Replies that fit any review of that many stars, and any without a comment (0). */
const anyReplies: Record<0 | 3 | 4 | 5, string[]> = {
  5: [
    "Thank you! It was a pleasure to have you along.",
    "You have made my evening. Thank you for coming, and for writing it down.",
    "What a kind review. Groups like yours make it easy.",
    "Thank you very much. I read this aloud at dinner.",
    "That makes me very happy. Do come back in another season: it is a different place then.",
    "Grazie! I hope that we see each other again.",
    "Thank you, and tell your friends that there is room for them, too.",
    "I remember your group well, we laughed a lot. Thank you!",
    "Thank you for the good company, and for being on time, which is rarer than one thinks.",
    "Lovely to read this on a grey morning. Thank you.",
    "You asked the best questions of the week. Thank you for coming.",
    "Five stars! Now I have to keep it up. Thank you.",
    "Thank you. That is just what I hope people take home with them.",
    "It is you who made that day. See you next time!",
    "Thank you! I have passed this on to everybody who helped.",
    "A big thank you from all of us here.",
  ],
  4: [
    "Thank you! If you know what was missing for the fifth star, I would like to hear it.",
    "Thank you for coming, and for the honest words. I have made a note of it.",
    "Good to read that you enjoyed it. I will see what can be done about the rest.",
    "Thank you, that is fair. It helps us more than another five stars.",
    "Thank you. Next time we will try to earn the last star.",
    "Point taken, and thank you. I hope that you come back and check.",
    "Thank you for the kind words, and for the advice to those who come after you.",
    "Glad that you liked it. I am working on what you say.",
  ],
  3: [
    "Thank you for saying so openly. We talk about such reviews on Mondays, and about this one we did.",
    "I had hoped for more, too. Thank you for telling me; I will look at what we can do better.",
    "Thank you for the frank words. If you would like to tell me more, I am easy to find at the meeting point.",
    "That is not what I want people to go home with. Thank you for telling me.",
  ],
  0: [
    "Thank you for the stars, and for coming along!",
    "Thank you! I hope that you had a good journey home.",
    "Thank you for taking part.",
    "Thanks for the rating. It was good to have you with us.",
  ],
};

/** The guides' replies to the reviews of that demo data, none in the future of `now`. */
export function demoReplies({ tours, reviews }: ImportFile, now: Date): DemoReply[] {
  const guides = new Map(tours.map(({ id, createdById }) => [id, createdById]));
  const uses = new Map<string, number>();
  const onTour = new Set<string>();

  /** A text that fits any such review, not used twice on one tour. */
  const anyText = ({ id, tourId, rating, comment }: ImportReview): string | undefined => {
    const next = random(`reply to ${id}`);
    if (next() >= (comment === null ? SILENT_SHARE : COMMENTED_SHARE)) return undefined;
    const texts = rating < 3 ? [] : anyReplies[comment === null ? 0 : (rating as 3 | 4 | 5)];
    const free = texts.filter(
      (text) => (uses.get(text) ?? 0) < MOST_USES && !onTour.has(`${tourId} ${text}`),
    );
    return free[Math.floor(next() * free.length)];
  };

  // By id, an order that does not depend on `now`.
  return [...reviews]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap((review) => {
      const own = ownReplies.find(([comment]) => review.comment?.startsWith(comment));
      const text = own?.[1] ?? anyText(review);
      if (text === undefined) return [];
      uses.set(text, (uses.get(text) ?? 0) + 1);
      onTour.add(`${review.tourId} ${text}`);
      const { id: reviewId, tourId, createdAt: reviewedAt } = review;
      const createdAt = repliedAt(review, now.getTime());
      return [{ reviewId, tourId, userId: guides.get(tourId)!, text, createdAt, reviewedAt }];
    });
}

/** When the reply was written: minutes, hours or days after the review, and not at night. */
function repliedAt({ id, createdAt }: ImportReview, now: number): string {
  const next = random(`time of the reply to ${id}`);
  const kind = next();
  const part = next();
  const delay =
    kind < 0.15
      ? MINUTE * (8 + 50 * part)
      : kind < 0.6
        ? HOUR * (1 + 22 * part)
        : DAY * (1 + 5 * part * part);
  const written = new Date(createdAt).getTime();
  let at = written + delay;
  if (clockTime(new Date(at), DEMO_ZONE).hour < 6) at += 7 * HOUR;
  if (at >= now) at = written + (now - written) * (0.2 + 0.7 * part);
  return new Date(Math.floor(at)).toISOString();
}
