/**
 * What explorers wrote: comments that belong to one tour, and pools for a kind of tour. `{guide}` stands for the
 * guide's first name.
 */
import type { Kind } from "./tours";

export type Language = "de" | "fr" | "es" | "pt";

/** A comment, with its author if that matters: a speaker of its language, or one particular user. */
export type Comment = string | { text: string; lang?: Language; by?: string };

export type Stars = 1 | 2 | 3 | 4 | 5;

export type ByStars = Partial<Record<Stars, Comment[]>>;

export const ownComments: Record<string, ByStars> = {
  "porto-sarrava-by-lantern": {
    5: [
      {
        by: "Giulia Sbarbaro",
        text: "I've lived forty minutes from Porto Sarrava all my life and thought I knew the harbour. I did not know about the house with eleven doors, and I have walked past it a thousand times.",
      },
      "Ilaria stops in the middle of a sentence, lifts the lamp, and there is a face carved over the door that you would never have seen. The whole group gasped like children. Go on the last night of your trip, because afterwards every other alley in the world seems over-lit.",
      "The pepper smuggler!!! 😂 My kids (9 and 12) have been playing customs raid in the hotel corridor ever since.",
      "Carrying an oil lamp that is older than your grandmother through a pitch-dark passage does something to you.",
      "We were only five because of the drizzle and it was magical. Wet stone, lamp light, nobody else out. Ilaria had umbrellas for everyone.",
      {
        by: "Divya Krishnan",
        text: "Best two hours of our honeymoon, and I'm including the expensive dinner.",
      },
      'What I liked most is that she says plainly when a story is not true. "The archive says no, Signora Pina says yes, and Signora Pina was there."',
      {
        lang: "de",
        text: "Ein wunderbarer Abend. Ilaria erzählt so lebendig, dass man die Fässer rollen hört. Festes Schuhwerk ist wirklich nötig, das Pflaster ist spiegelglatt.",
      },
      {
        lang: "fr",
        text: "Une balade hors du temps. On nous confie une vraie lampe à huile, et la ville change de visage. La fin sur le toit du grenier à sel, avec le limonsa, est parfaite.",
      },
      {
        lang: "es",
        text: "Increíble. Mi padre tiene 78 años, subió los 180 escalones y al final quería repetir. Ilaria lo esperó en cada esquina sin que se notara.",
      },
      "I booked this because everything else was full. It turned out to be the thing we keep telling people about.",
      "The well. I won't say more. But look down when she tells you to look down.",
      {
        by: "Julian Marsh",
        text: "I work in theatre and I'd hire her tomorrow. Perfect timing, no costume, no shouting, one lamp.",
      },
      "Did it twice: once in July with friends, once in winter on my own. It was a different tour each time, since she changes the route with the weather and, I suspect, with the group. In winter there were four of us and we ended up in the sail loft for half an hour, listening to the halyards clatter on the boats below.\n\nIf you can choose, take a weekday out of season. If you can't, take it anyway.",
      "My teenager put away the phone for two hours. Five stars for that alone.",
      "Limonsa on a roof, with the whole harbour below and bats in between. Yes please 🍋",
      "I'm blind in one eye and a bit unsteady in the dark. I wrote beforehand, and Ilaria had me walk next to her with the biggest lamp, as if that were a special honour. I never felt like a nuisance.",
      'Funny, a little creepy, and she never once said "fun fact".',
      {
        by: "Frances Underhill",
        text: "Our lamp went out in the ropewalk and I have not held my husband's hand that tightly since 1998.",
      },
      "The part about her great-grandmother mending sails by candle made me cry, and I had come for the smugglers.",
      {
        lang: "pt",
        text: "Que noite linda! A história da casa das onze portas ficou na minha cabeça durante dias. Levem casaco, o vento do porto não brinca.",
      },
      "Two hours went by like twenty minutes. We asked so many questions that she sat down on the steps with us at the end and answered them all.",
    ],
    4: [
      "Great storytelling. Mind the steps though, 180 of them in near darkness is no joke after a big dinner.",
      "Loved the first hour and the roof. There's a stretch in the middle, along the customs wall, where not much happens.",
      "Would be five stars with a smaller group. We were fourteen and six lamps don't go round.",
      "A lovely evening, only that at the back I missed a sentence here and there when a scooter came by. Stay close to the front.",
      "Colder than expected on that roof! She had warned us, we are idiots. Fig syrup surprisingly good.",
      {
        lang: "de",
        text: "Sehr stimmungsvoll und gut recherchiert. Ein Stern Abzug, weil am Molo gleichzeitig ein Konzert lief und man die erste Viertelstunde kaum etwas verstand.",
      },
      "Not really spooky, if that is what you are after. It is history by lamplight, and good history.",
      "The stories are wonderful, the lamp oil on my linen trousers less so.",
      "Our six-year-old was asleep on my shoulders by the second well. For adults and big kids: excellent.",
    ],
    3: [
      "Ilaria clearly knows everything, but it was a lot of names and dates for nine in the evening after a day at the beach.",
      "Nice idea. On the night we went there was a wedding in Piazza dei Cordai and a football match in every window, so the mystery was limited. Not her fault of course.",
      "Pretty walk, good drink. I had expected to go inside more of the buildings; apart from the loft and the salt store you see façades.",
    ],
    2: [
      "We had told them about my mother's knee and were assured it would be fine. It wasn't. By the third staircase we were so far behind that we heard nothing, and in the end we sat on a wall and waited for the group to come back down. The guide apologised, but somebody should have told us honestly at the start.",
      "Too dark. I know, I know, that's the idea, but I spent two hours looking at my feet and couldn't tell you what a single building looked like.",
    ],
    1: [
      "We stood at the anchor at the other end of the harbour (there are TWO anchors!) for half an hour, nobody picked up the phone, and by the time somebody called back they were gone. Refunded, but our last evening was wasted.",
    ],
  },
  "market-morning-and-sarravan-lunch": {
    5: [
      "Aunt Teresa took the knife out of my hand, sighed, showed me again, sighed again, and patted my cheek. I would like to be adopted.",
      "I can now fillet an anchovy with my thumb. I'm forty-six years old and have never been so proud of anything.",
      "Come hungry. No, hungrier than that.",
      "The market alone would have been worth the money. Ilaria knows every stallholder's feud and which of them are cousins (all of them).",
      "Nine herbs in the pie. I found seven at home in the supermarket and it tastes of nothing. I suppose we'll have to come back.",
      "Vegetarian here: I was not handed a plate of grilled courgettes and an apology, for once. Chickpea batter, herb pie, stuffed courgette flowers, goat's cheese, beans with lemon. I couldn't move afterwards.",
      {
        lang: "fr",
        text: "On a ri pendant quatre heures. La tante Teresa ne parle que le sarravais et on a tout compris. La tourte aux herbes est une merveille, et la recette est arrivée par mail le soir même.",
      },
      "We've done cooking classes in six countries. This is the only one that didn't feel like a class. You're in somebody's kitchen, the neighbour comes in to borrow eggs, the cat gets the heads.",
      "Our group was a retired couple from Ghent, two students, my family of four and a very shy man from Osaka who turned out to be the best at folding by far. By the second carafe we were all singing. I don't sing.\n\nThe food: anchovies with lemon, tornella straight from the pan, a whole sea bream that I'd chosen myself and felt responsible for, and figs.\n\nIf you only do one thing in Porto Sarrava, do this.",
      "😋😋😋 and I've got the burn mark to prove it",
      "The way she bargains. I wrote down some of the insults.",
      "My son eats pasta with nothing. My son ate three anchovies. I've no further comments.",
      {
        lang: "es",
        text: "Una mañana redonda: mercado, cocina y sobremesa larga. Teresa nos regañó a todos por igual, como debe ser.",
      },
      "Brought my mother, who has cooked every day for fifty years and is hard to impress. She and Teresa exchanged recipes by gestures and are now writing each other letters.",
      "It isn't a show. You really do the work, you really get shouted at, and you really eat it. Perfect.",
      "I was nervous to go alone, and within ten minutes I was in charge of the batter and of a four-year-old.",
      {
        lang: "pt",
        text: "Comida de verdade, gente de verdade. Saí de lá com um frasco de anchovas e três amigos novos.",
      },
    ],
    4: [
      "Wonderful food, wonderful aunt. The kitchen gets terribly hot in summer with ten people and the oven on; wear something thin.",
      "I'd have liked a bit more cooking and a bit less standing at the market, where in the crowd I couldn't always hear. Lunch was superb.",
      "A lot of fish heads for my daughter, who is sensitive about such things. She recovered at the sight of the fig cake.",
      "Four hours turned into five. Great if you have nothing planned. We had a train.",
      {
        lang: "de",
        text: "Sehr herzlich und sehr lecker. Man sollte wissen, dass man viel steht, erst am Markt, dann in der Küche. Das Essen entschädigt für alles.",
      },
    ],
    3: [
      "Good lunch, but I hardly got to cook anything: three confident people took over the table and the rest of us watched. A bit more steering would help.",
      "It was a Monday and half the fish stalls were shut, which the description doesn't mention. The kitchen part saved it.",
    ],
    2: [
      "I had written that I am allergic to nuts. Nobody in the kitchen seemed to know, and the pesto had walnuts in it. I noticed in time. Everybody was very sorry, and I got bread and cheese, but for me the day was over.",
    ],
  },
  "sunset-sail-to-isola-merla": {
    5: [
      "Matteo cut the engine, the sails filled, and nobody said a word for ten minutes. That silence is what I paid for and I'd pay it twice.",
      "I steered a sixty-year-old lemon boat! I! Who get lost in car parks!",
      "Hundreds of shearwaters coming in over the water in the last light, so low that their wing tips nearly touch it. I've been birding for years and it gave me goose bumps.",
      "The bread with anchovies and tomatoes, eaten with wet hair, wrapped in a towel, in the lee of the island. That's it, that's the review.",
      {
        by: "Chloe Penhaligon",
        text: "He proposed off Isola Merla. Matteo pretended to be very busy with a rope. I said yes ⛵💍",
      },
      {
        lang: "de",
        text: "Ein Traum. Das Schiff ist wunderschön, Matteo ein ruhiger, aufmerksamer Skipper, und unsere Kinder durften ans Ruder. Warme Jacke für die Rückfahrt nicht vergessen!",
      },
      "My father was a merchant sailor and is not easily pleased aboard anything. He inspected every knot and then said \"this one's all right\". From him that's a medal.",
      "Swimming off the ladder with the sun going down between your toes. I'm writing this in an office and I'm angry about it.",
      {
        lang: "fr",
        text: "Magnifique voilier, magnifique lumière. Matteo raconte l'histoire du bateau sans en faire trop et laisse la place au silence.",
      },
      "Not a party boat, thank God.",
      {
        by: "Ellen Vos",
        text: "First date for us to be out without the baby in eleven months. We held hands and ate tomatoes. Thank you, Teresina.",
      },
      "Little wind at first, so Matteo rowed ahead in the dinghy to look for some. He found it. I've no idea how.",
    ],
    4: [
      "Beautiful, but the wind died and we came back on the motor, which is loud and smells. Still glad we went.",
      "Loved every bit of it except the toilet. Go before.",
      "Twelve people on eleven metres is cosy. If you get one of the seats on the leeward side, your back will get wet as well.",
      "The sunset was behind cloud, you can't order that. The swim, the bread and the boat herself were all I'd hoped for.",
      "A bit too short! As soon as you have settled in, you turn round.",
      {
        lang: "es",
        text: "Precioso paseo. Le quito una estrella porque salimos con media hora de retraso y el baño quedó en diez minutos.",
      },
      "I take tablets for seasickness and was fine. My sister doesn't and wasn't. Matteo looked after her kindly, put her by the mast and gave her ginger.",
    ],
    3: [
      "A motor trip, in our case. No wind at all, sails up for the photos and down again. The price stays the same.",
      "Fine boat, friendly skipper. A group of eight friends had booked together and were loud, with their own drinks, and that decided the mood for the other four of us.",
      "We never got near the island because of the swell and turned back at Capo Falco. Safety first, I agree, but then call it something else or offer a partial refund.",
    ],
    2: [
      "Cancelled twice on the day (wind), and the third time so overcast that there was no sunset to be seen. We had built our week around it. I understand weather, but the messages came an hour before, when we were already on the bus.",
      "I was sick from the breakwater to the breakwater. They could tell people clearly how much a wooden boat like this rolls at anchor.",
      "Nice skipper, but there wasn't enough food: one slice of bread each, and the last two of us got tomatoes without the bread. From six to nine in the evening that's too little.",
    ],
    1: [
      "The boat left without us. We were at berth 14 at two minutes past six and could see her going. A phone call would have been nice, and a refund too; I am still waiting for an answer.",
    ],
  },
  "street-food-tornella-anchovies-and-lemon": {
    5: [
      "Too much pepper on the tornella is exactly the right amount of pepper.",
      "The anchovy cellar! You go down twelve steps into 1871 and come up smelling of it, happily.",
      "For the record: the fig cake at the corner by the church is better, and I'll defend this vote before any court.",
      "Fried sage leaves from a window with no sign. I've tried to find it again on my own three times. I believe it only exists when Ilaria is there.",
      "Sheep's-milk ice cream with olive oil and a bit of salt. I've been thinking about it in meetings.",
      {
        lang: "fr",
        text: "Sept étapes, zéro temps mort. Mention spéciale aux anchois sur pain beurré, servis par un monsieur de 84 ans qui nous a fait la cour à toutes.",
      },
      "No tourist places, small portions that add up, and the walk in between is just long enough to be hungry again. Skip lunch. Skip breakfast if you're serious.",
      {
        by: "Rebecca Steinberg",
        text: "My husband is coeliac and could eat at six of seven stops, with the seventh swapped for a plate of fried fish without flour. Nobody made a fuss about it.",
      },
      {
        by: "Harriet Boyle",
        text: "I came for the food and stayed for the gossip about the bakers.",
      },
    ],
    4: [
      "Delicious throughout. Bring wet wipes, you eat everything with your fingers and there's one tap.",
      "Two stops were very close together and I was full by number five. A slower pace, or an hour more, would be perfect.",
      {
        lang: "de",
        text: "Tolle Auswahl, nichts davon hätten wir allein gefunden. Als Nicht-Fisch-Esser bleibt man allerdings bei zwei Stationen hungrig.",
      },
      "Really good. The queue at the Morini oven took twenty minutes out of the three hours though.",
    ],
    3: [
      "Food great, but you stand all the time. There is nowhere to sit at any of the seven stops, and my back noticed.",
      "Tasty, if rather expensive for what are after all snacks. The cellar was the highlight.",
    ],
    2: [
      "Two of the seven stops were closed for holidays and were replaced by one ice cream. Someone must have known that beforehand.",
    ],
  },
  "sea-caves-of-calaspina-by-small-boat": {
    5: [
      "Your eyes get used to the dark and then the floor of the cave lights up blue, underneath you, as if somebody had switched on the sea. Nobody took a photo for a full minute.",
      "Matteo sang one note in the Chapel and it came back as a chord. Then he made us do it. We were awful and it still came back as a chord.",
      "By oar, six people, no engine. The big boats from the port stop outside with loudspeakers and can't get in. Ha!",
      "Swimming from one chamber to the other in the Grotta Doppia: five strokes in the dark, and then there's light again. I was scared, did it, and would have done it ten times more.",
      {
        lang: "es",
        text: "La cueva azul parece mentira. Matteo rema despacio, apaga la linterna y te deja mirar. De lo mejor que hemos hecho en años.",
      },
      "We were moved to another day because of the swell, with a message before breakfast and no trouble at all. On the day it was flat as glass.",
      "My daughter (11) wants to become a speleologist, a fisherwoman or an echo.",
    ],
    4: [
      "Stunning caves. Everything I had in my bag was wet, including the things in the bag inside the bag. Take the dry bag seriously.",
      "Four caves instead of seven because there was still some swell, but those four were splendid.",
      {
        lang: "de",
        text: "Beeindruckend, besonders die blaue Höhle. Die Holzbänke sind hart, zweieinhalb Stunden sind da genug.",
      },
      {
        by: "Lars-Erik Sandström",
        text: "You need to duck a lot. I'm 1.94 m and have the bump to show for it 🤕",
      },
    ],
    3: [
      "The caves are lovely but we waited at the entrance of the blue one for three other boats to come out. Early slots are probably better.",
      "Too short inside and too long getting there. The rowing along the cliff takes most of the time.",
    ],
    2: [
      "It rocked so badly between the caves that half of us were ill. In my opinion it should not have gone out that day. He did ask whether we wanted to turn back, but who wants to be the one that says yes?",
      "Postponed, then postponed again, then we were offered a slot on the day we flew home. Got the money back, saw no cave.",
      {
        by: "Robert Ashworth",
        text: "My wife can't swim well and had been told this would be no issue. When everyone went into the water in the Grotta Doppia she sat alone in the boat in the dark for twenty-five minutes.",
      },
    ],
    1: [
      "Phone ruined, camera ruined. A wave came straight over the side at the second cave. The guide shrugged and said it says so in the description. It does. I'm still out a camera.",
    ],
  },
  "wild-caving-in-the-grotta-del-sospiro": {
    5: [
      "The Letterbox is eleven metres long. I counted every one of them. At the end I lay on my back in the mud and laughed until I couldn't breathe.",
      "When all the lamps were off you could hear the hill breathe. I'm not a spiritual person. I'm still thinking about it.",
      "READ THE DESCRIPTION, people. It says cold, muddy and squeezed. It was cold, muddy and squeezed. It was the best day of my holiday.",
      'Tomáš has the calmest voice I have ever heard. I got stuck, panicked, and he said "good, now rest, you have all the time there is". And then I was through.',
      "Seventeen-year-old son, no words, huge grin, asleep in the car with mud in his ears. That's the review of the year from him.",
      "I've been in plenty of show caves with coloured lights and a gift shop. This is the opposite of that and I never want to see a coloured light again.",
      {
        lang: "de",
        text: "Abenteuer pur. Drei Stunden Dunkelheit, Lehm und Kälte, und eine Halle aus Kalk, die man nur so zu sehen bekommt. Tomáš strahlt eine enorme Sicherheit aus. Absolute Empfehlung, aber wirklich nur, wenn Enge kein Thema ist.",
      },
      "Eggshell calcite floors, a river you hear long before you stand in it, and a guide who makes you walk in your socks for six metres so as not to harm anything. Great respect.",
      "Bruises: 14. Regrets: 0.",
      {
        lang: "fr",
        text: "Une vraie sortie spéléo, pas une attraction. On ressort sale, fatigué et fier. Prévoir vraiment deux tenues complètes.",
      },
    ],
    4: [
      "Superb, apart from the overalls, which were still wet from the day before. Putting those on at half past nine takes character.",
      "Hard work and worth it. My knees would have liked pads; bring your own if you have some.",
    ],
    3: [
      "I'm glad to have done it and equally glad never to do it again. The hall is beautiful. The way there is forty minutes of elbows.",
    ],
    2: [
      "I turned back at the Letterbox, as one is allowed to, and then sat at the entrance in wet overalls for over two hours. The colleague was friendly and had tea. But there should be something else to do for people like me, or a lower price.",
      {
        by: "Stuart Menzies",
        text: 'Far too physical for my wife and me, and we are both regular hikers. "Crawling" sounds like a few metres. It\'s most of the time.',
      },
      "Freezing. My teeth chattered so hard that I couldn't follow the explanations, and the two lamps they give you were down to one by the stream.",
    ],
    1: [
      "A nightmare, and I mean it. Forty centimetres of rock above and below you and somebody's boots in your face. I had a panic attack in the middle with people behind me, and there is no way to go back.",
      "Came out with ruined shoes, a torn jacket and a cough. People pay money for this?",
      "Nobody checks whether participants are up to it. One man in our group was obviously too big for the slot, and it took an hour to get him out again. All that time the rest of us lay in a puddle.",
      "I don't doubt that the guide is competent. But I felt talked into it. When I said I was not sure, the answer was \"nobody is ever sure\". That's not good enough when you are about to go underground with strangers.",
      {
        lang: "es",
        text: "No es una visita, es una prueba de resistencia. Mi pareja se quedó fuera a los diez minutos y yo salí temblando de frío. Tendrían que hacer una entrevista antes.",
      },
    ],
  },
  "e-bikes-along-the-old-railway": {
    5: [
      "Nine tunnels! My inner six-year-old rang the bell in every one of them. So did everyone else's.",
      "I hadn't been on a bike since my hip operation. Noor chose one with a low step, rode next to me for the first kilometres and then let me be. I did the whole 27.",
      "Swimming in the river under the viaduct, then courgette flowers in a dining car. Who thinks up a day like that? Noor does.",
      {
        lang: "de",
        text: "Herrliche Strecke, kein einziges Auto, gut gewartete Räder. Im Garten am Mulino Vecchio hätten wir den ganzen Tag bleiben können.",
      },
      "Every yellow station has its story, and she tells just one a station, short, and then you ride on and think about it.",
      "Uphill all the way without noticing. I felt like an athlete and was told to turn the motor up, not down 😄",
    ],
    4: [
      "Gorgeous ride. The tunnels are really cold when you come in sweating, so do bring that extra layer.",
      "Lunch isn't included and the buffet car is slow when everybody arrives at once. The trout was worth the wait.",
      {
        lang: "fr",
        text: "Très belle journée, parcours facile et varié. Le retour en camionnette est un peu serré avec tous les vélos.",
      },
    ],
    3: [
      "Pleasant, but flat and slow if you normally cycle. With an e-bike I expected to see more than one valley.",
      "My battery gave up at kilometre 20. They swapped it, but only after half an hour at the side of the track in the sun.",
    ],
    2: [
      "No bike in my size although I'd given my height (1.51 m) twice. I rode on tiptoe all day and my back hurt for three.",
    ],
  },
  "first-time-on-rock-at-falesia-bianca": {
    5: [
      {
        by: "Eleanor Pritchard",
        text: "I'm 58, afraid of heights and weigh what I weigh. I got four metres off the ground. It was the right four metres, just as he says, and I wouldn't swap them for any summit.",
      },
      "Tomáš doesn't shout advice from below. He waits until you ask. Then he says one thing, and it is always the left foot.",
      "Our twins turned 10 and this was the present. They belayed each other (well, with a backup) and have not stopped tying knots into everything we own.",
      "Falling on purpose, thirty centimetres, and being caught. It took me three tries to let go and it was oddly moving.",
      "The view from the top of route 7! You turn round and there's the whole bay under your bum.",
      'Six beginners, two instructors, every piece of kit in good shape. I climb indoors and had my doubts about "beginners", but I learnt more about feet in one morning than in a year at the gym.',
      {
        lang: "pt",
        text: "Nunca pensei que conseguiria. O Tomáš tem uma paciência infinita e explica tudo em terra antes de subirmos. Já estou à procura de uma parede perto de casa!",
      },
      "Shade until one, as promised. Hands like sandpaper, heart like a balloon.",
      "The figure-of-eight knot, three hours later, in the dark, behind my back: still got it.",
      {
        by: "Jasmine Clarke",
        text: "I cried at the top and my boyfriend cried at the bottom, both for good reasons.",
      },
    ],
    4: [
      "Great morning! The rental shoes pinch, but apparently that's what climbing shoes do.",
      {
        lang: "de",
        text: "Sehr gute Einführung, man fühlt sich jederzeit sicher. Bei sechs Leuten gibt es naturgemäß etwas Wartezeit am Seil.",
      },
      "Four routes done, arms like noodles. I'd have liked a bit more time on the last wall before the sun came round.",
    ],
    3: [
      "Good instructor, well organised. I just found out that climbing isn't for me, which I suppose is a result too.",
    ],
  },
  "rock-pool-detectives": {
    5: [
      "It was the dog whelk. IT WAS THE DOG WHELK. My son has told everyone on the train.",
      "Pia speaks to five-year-olds as if they were colleagues. They rose to it.",
      "Octopus ink does not wash out. You were warned, and so was I, and now the certificate is on the wall and also on the sofa.",
      'Two hours and not one "I\'m bored". I learnt more than the children, and had a bucket of my own.',
      "They put every stone back. At home she now puts every stone back. In the car park, too.",
      "My daughter doesn't talk to strangers. She interrogated a starfish for ten minutes and then explained the result to the whole group. I had to look at the sea for a while.",
      {
        lang: "de",
        text: "Genial gemacht! Unsere Jungs (6 und 8) waren zwei Stunden lang hochkonzentriert. Die Gummischuhe sind super, Wechselkleidung ist Pflicht.",
      },
      "We found a pipefish!!! 🐟",
    ],
    4: [
      "Lovely for my 7-year-old, a bit long for the one who had just turned 5. There's little shade, so hats on.",
      "Very good, but the tide was not as low as it should have been and some suspects were under a metre of water.",
      {
        lang: "es",
        text: "Muy divertido y muy bien explicado, aunque en nuestro grupo había demasiados niños para los cubos que tenían.",
      },
    ],
    3: [
      "My nearly eleven-year-old felt too old for the detective story. The animals were interesting, but take the upper age limit at its word.",
      "Sweet idea. The start was shifted by two hours the evening before, because of the tide, which with small kids and naps is not so easy.",
    ],
  },
  "birds-of-the-boccatarna-salt-pans": {
    5: [
      "Came as a person who could tell a duck from a gull on a good day. Left able to name five waders by their legs. Signe's a born teacher.",
      "Two hundred flamingos took off against the sun and I forgot that I own a camera.",
      "She mistook a distant stint, corrected herself, and then spent five minutes explaining why she had been wrong. That's how you learn birds.",
      "The light out there at half past six! Grey, then silver, then pink, and avocets all over it.",
      {
        lang: "fr",
        text: "Matinée superbe. Les deux longues-vues sont d'excellente qualité et Signe les règle pour les enfants aussi. Anti-moustique indispensable.",
      },
      "54 species, one marsh harrier with a very annoyed rat, coffee in the pump house. I took the jar of salt home and it's nearly finished, so I'll have to return.",
      {
        by: "Stuart Menzies",
        text: "I'm a birder of thirty years' standing and I saw a lifer, a broad-billed sandpiper, which she picked out of six hundred dunlin. Hat off.",
      },
    ],
    4: [
      "Superb morning, but 🦟🦟🦟. Long sleeves. Don't be brave.",
      "Very instructive. Four kilometres in three and a half hours means a lot of standing, so my legs were tired of not walking.",
      {
        lang: "pt",
        text: "Vimos flamingos, pernilongos e até uma águia-pesqueira. Faltou um pouco de sombra e um sítio para nos sentarmos.",
      },
    ],
    3: [
      "No flamingos, they were away. Nobody can help that, but I'd have liked to know before getting up at five.",
      "For real enthusiasts. We spent forty minutes on two brown birds that looked the same to me before and after.",
    ],
  },
  "three-cellars-in-vallenga": {
    5: [
      "Gino sold me two bottles. Do you understand? Gino SOLD me TWO BOTTLES.",
      "You taste the same grape out of concrete, chestnut and glass, and suddenly you understand what people mean when they talk about wine.",
      "The Rovelli sisters finish each other's sentences and contradict each other's wines. I could have listened all evening.",
      {
        lang: "fr",
        by: "Gaëlle Le Goff",
        text: "Je suis vigneronne dans le Jura et j'y allais par curiosité. Un cépage passionnant, trois caves sincères, et un guide qui connaît le prix du travail en terrasses.",
      },
      "Salt, fennel and cold stone: I laughed when I read it and then there it was in the glass.",
    ],
    4: [
      "Wonderful wines, steep lanes. Somewhere after the fifth glass the two of them become one problem.",
      "Bruno is a great host. I'd gladly have had a little more to eat with eight wines.",
    ],
    3: [
      "Interesting, but the cooperative part, with all the tanks and hectolitres, went on too long. The sisters were the best of it.",
      "It is cold down there. I had a pullover and still couldn't wait to get out of the third cellar. Wines good, too acidic for me.",
    ],
    2: [
      "One of the three cellars was closed (bottling day), so we spent an extra hour at the cooperative with the wine one can buy at the supermarket in town. Nothing was taken off the price.",
    ],
  },
  "porto-sarrava-in-two-hours-by-bike": {
    5: [
      "Just what we needed with four hours ashore. Saw it all, didn't get lost, back on the ship in time.",
    ],
    4: [
      "Does what it says. You get an idea of the town and know where to go back to.",
      "The Belvedere makes up for the traffic. Our guide, a student called Sem, was witty and tried hard.",
    ],
    3: [
      "OK for a first look. Eighteen people at a red light is not a fun way to see a city, though.",
      "Nine stops of three minutes. I've got nine photos and couldn't tell you what's on six of them.",
      "Not bad, not special. You could hire a bike at the same kiosk and do it with the map.",
      {
        lang: "de",
        text: "Solide, aber lieblos. Die Erklärungen klangen auswendig gelernt, und hinten in der Gruppe kam nur die Hälfte an.",
      },
      "I've been on two other tours by Noor and loved them, so I was surprised. She wasn't there herself, and one feels it.",
    ],
    2: [
      "Half the route is on the main road with buses going past your elbow. With children I'd call it irresponsible.",
      'My gears slipped on the climb and the saddle sank a little at every bump. "Comfortable city bikes" they are not.',
      "We passed the market hall, the palaces and the botanical garden without going into any of them. Two hours of looking at entrances.",
    ],
    1: [
      "Lost the group at the second roundabout. Nobody noticed until the end. I returned the bike on my own and was asked how I had liked it.",
      {
        lang: "fr",
        text: "Dix-huit personnes, un seul guide au lieu de deux, aucun temps pour poser une question. À éviter.",
      },
    ],
  },
  "salt-mule-path-from-lumera": {
    5: [
      "You put your foot into the hollow that six hundred years of hooves have made, and it fits. I walked differently after that.",
      "Ettore mends a bit of wall on the way, one stone, without interrupting his sentence. By the end of the day all of us had put one back.",
      "Lunch at the spring of the Three Masters: bread, cheese, pears, cold water. I've eaten in starred restaurants and this goes on the same list.",
      {
        lang: "de",
        text: "Eine der schönsten Wanderungen meines Lebens. 780 Höhenmeter, die man kaum merkt, weil Ettore zur rechten Zeit stehen bleibt und etwas zeigt. Der Busfahrer hat tatsächlich gewartet.",
      },
      "My late father walked this path as a boy, behind his uncle's mule, and talked about it until the end: the shrines, the spring, the place from which you see the sea for the last time. I had his account and an old photograph and not much hope, because the photograph shows a wall, a tree and a mule, and there are a great many walls up there.\n\nI showed it to Ettore at the net lofts in Lumera. He looked at it for quite a while, put it in his breast pocket and said nothing. Four hours later, on the heath, he stopped, took it out, walked twenty steps to the left and held it up. The tree is gone. But the wall was the wall, down to the one stone that sticks out, and he had known it because he had rebuilt the piece next to it in 1994.\n\nEverybody was very kind. Somebody gave me a pear. We stayed for as long as I needed and not a minute of it felt like waiting. I don't have a rating for that, so here are the five stars that fit.",
      "He told us the name of every tree in the dialect, and I've forgotten them all, but not how he said them.",
      "Blisters, sunburn, the best day of the year.\n\nA note for people like me who read reviews to find out whether they're fit enough: I'm 63, I walk the dog, I live in a flat country. It was long. Nobody hurried me. At each shrine we sat down, and I was never the only one who wanted to.",
    ],
    4: [
      "Fantastic path. The last hour is on a tarmac lane in full sun, and with the village in sight all that time it drags.",
      "Bring more than a litre and a half if it's hot. Otherwise faultless.",
      {
        lang: "es",
        text: "Camino precioso y un guía que ama lo que hace. Es exigente, no lo subestimen: catorce kilómetros con piedra antigua castigan las rodillas.",
      },
    ],
    3: [
      "Beautiful country, but the group was very mixed and we waited a lot. After the fourth shrine I'd have liked to just walk.",
    ],
  },
  "seven-palaces-and-a-staircase": {
    5: [
      "A staircase that's bigger than the flats it leads to. I'm an accountant and I haven't been able to stop thinking about it.",
      "Chiara hands you the plan, lets you look at the façade, and waits until you've noticed that there's a whole floor missing. Then she takes you to it.",
      "We were let into a private dining room with a ceiling of quarrelling gods, while the owner's dog slept underneath. You can't buy that anywhere else.",
      {
        lang: "fr",
        text: "Érudit sans être pédant. Chiara a passé neuf ans sur les échafaudages et connaît chaque fissure par son prénom.",
      },
    ],
    4: [
      "First-rate guide. Two and a half hours standing on marble is hard on the feet, and there's no chair you may sit on.",
      "Four of seven palaces are open; I had understood from the title that we'd go into all of them. But those four...!",
    ],
    3: [
      "Very learned, rather too much for someone who just likes pretty houses. I'd lost the thread by the third cousin.",
    ],
    2: [
      "The palace with the famous staircase was closed for a private event. We saw it through the gate. For a tour with that title it's a bit rich that nobody told us when we paid.",
    ],
  },
  "pirate-map-of-torrefalco": {
    5: [
      "The ice cream man stayed in character even when my son bought an ice cream from him two hours later. ARRR 🏴‍☠️",
      "A riddle at the bottom of a well, a compass that the kids learnt to use properly, and real doubloons (chocolate, melted, glorious).",
      "Our four-year-old had the picture version, our ten-year-old the written one, and in the end they needed each other's clue. That's clever.",
      "Caterina Spinabella is now the only person in history my daughter is interested in.",
      {
        lang: "de",
        text: "Liebevoll bis ins Detail. Sogar der Leuchtturmwärter spielt mit. Unsere Kinder haben abends ihre eigene Schatzkarte gezeichnet.",
      },
    ],
    4: [
      "Such fun! A little long in the afternoon heat, we'd have welcomed a stop in the shade before the beach.",
      "The watchtower stairs with a toddler on the arm are no fun, but the rest was.",
    ],
    3: [
      "Our team happened to include two dads who solved everything in seconds. The kids ran after them. Pia tried to slow them down, with little success.",
      "We found the chest after a different group had already opened it and closed it again. Still full, but the magic had gone.",
    ],
    2: [
      "It rained, and the footprints and half of the clues were washed away. We were told where to go next instead of finding out. A wet walk with a bag of chocolate coins at the end.",
    ],
  },
  "olive-mill-and-oil-tasting": {
    5: [
      "Once you've smelled the bad one you can't un-smell it. I've since thrown away two bottles at home and insulted my sister-in-law.",
      "The father is still angry with the new machine. He came in especially to tell us so.",
      "So prune it that a swallow can fly through! I've got one olive tree in a pot and she's had a haircut.",
      {
        lang: "es",
        text: "Vengo de Jaén y fui con ganas de criticar. Me callé en la segunda copa. Gente honesta y un aceite extraordinario.",
      },
      "We came when the mill was running, at night almost, and the smell of the fresh oil hits you in the yard like cut grass. Loud, crowded, wonderful.",
    ],
    4: [
      "Tasty and instructive. The walk through the groves is in full sun; take a hat.",
      "More bread than I've eaten in a month, all of it swimming in green oil. I'd only have liked to see the stones turn for longer.",
    ],
    3: [
      "Good tasting. But the granite mill was under repair and the new machine is, well, a steel box.",
    ],
  },
  "washerwomens-steps": {
    5: [
      "I read the part of the strike leader aloud, on the very step where she had stood. My voice wobbled.",
      "Nineteen men and one mermaid. I've begun to count the statues in my own town. It's worse.",
      "A shopping list from 1889, read aloud, and you know how a whole family lived. That's what history should be.",
      {
        lang: "pt",
        text: "Emocionante do princípio ao fim. A história da doutora Adele Sanvito merecia um filme.",
      },
    ],
    4: [
      "Great subject, great research. Do bring water, 210 steps are 210 steps, bench or no bench.",
      "I'd been on the lantern tour the night before, and this is the better one, if less of a spectacle. A bit more about today would round it off.",
    ],
  },
  "hauling-nets-with-the-lumera-fishermen": {
    5: [
      "Dino said perhaps eleven words before sunrise. I remember all of them.",
      "Red mullet, off the net, onto the grill, into my mouth, with scales still on my sleeves. There's no going back to the fish counter.",
      "I pulled. I pulled for an hour and then my arms stopped being mine. Franco gave me his gloves and a pat that nearly sent me overboard.",
      {
        lang: "de",
        text: "Echte Arbeit, echte Menschen. Man begreift, wie wenig im Netz ist und wie viel Mühe darin steckt. Nichts für Zartbesaitete, für uns ein Höhepunkt.",
      },
    ],
    4: [
      "Hard, smelly, honest. I'd give five if the bus went at that hour; the taxi to Lumera cost as much as the trip.",
      "They take the time to explain what goes back over the side. The catch was tiny that morning, which was a lesson as well.",
    ],
    3: [
      "Interesting but I mostly stood in the way. With four guests on that deck there is work for two.",
    ],
    2: [
      "Hardly a word of English from the crew and Matteo wasn't on board that day. We guessed most of it.",
    ],
    1: [
      "I know it says that fish die. I wasn't prepared for how long it takes. Three hours with no way to get off. I felt sick for two reasons.",
    ],
  },
  "via-ferrata-to-the-lighthouse": {
    5: [
      "Forty metres of air, then green water, then a cormorant flying past BELOW me. And at the end a lemon granita.",
      "By the time we reached the first bridge I was clipping without thinking, because we'd done it fifty times on that boulder. That's good teaching.",
      "The keeper's widow looked at my trembling knees and gave me a double portion 🍋",
    ],
    4: [
      "What a route! The second plank bridge sways more than I like to remember.",
      {
        lang: "fr",
        text: "Très beau parcours, encadrement sérieux. Un peu d'attente au départ parce qu'une autre cordée nous précédait.",
      },
    ],
    3: [
      "If you've done ferratas in the mountains before, this is short and easy, and the practice part takes an hour. The setting is exceptional.",
    ],
  },
  "snorkelling-the-meadows-of-cala-spina": {
    5: [
      "An octopus changed colour three times while we looked at each other. I've since stopped ordering it.",
      "Hold still, he said, and I did, and the empty meadow filled up with faces.",
    ],
    4: [
      "Cuttlefish! Two of them, hovering, cross with each other. The wetsuit was a bit tight in all the wrong places.",
      "Good explanation beforehand with drawings on slate. The water was chilly after an hour even with the suit.",
    ],
    3: [
      "Visibility wasn't great and eight people with fins stir up a lot of sand. If you swim at the back you see the fins.",
    ],
    2: [
      "My mask leaked, the spare leaked too, and by the time the third one fitted the others were on their way back. I saw grass.",
    ],
  },
  "bats-owls-and-stars-above-castel-orvano": {
    5: [
      "A scops owl answered me. I whistled, and he answered, and then he came closer to see who was being so rude.",
      "Never knew bats could sound like a Geiger counter at a disco. We counted 83, and they're in the official survey now, with our names!",
      "On a blanket on a threshing floor, the Milky Way overhead, someone softly telling you why Loki is to blame for that one. Perfect.",
      {
        lang: "de",
        text: "Am Ende war es bewölkt, also gab es Nachtfalter am Leuchttuch. Ich hätte nie gedacht, dass mich das mehr begeistert als die Sterne.",
      },
    ],
    4: [
      "Wonderful in the dark, but one man kept looking at his phone and each time we all had to start over with our eyes. Signe was more patient than I was.",
    ],
    3: [
      "It got extremely cold on the blankets and I couldn't concentrate on the stars any more. Take the warning literally.",
    ],
  },
  "a-night-in-morinis-bakery": {
    5: [
      "Livio took my loaf away, looked at it, looked at me, reshaped it in two seconds and gave it back. I've had worse therapy.",
      "At ten past six, on a flour sack, with hot focaccia and coffee, I decided to change my life. By noon I'd reconsidered. But still.",
      "Walking home through the empty town at seven with a two-kilo loaf under my arm, like somebody who belongs there.",
      {
        lang: "fr",
        text: "Se lever à trois heures et demie en vacances, quelle idée. La meilleure de l'année.",
      },
      "Small burn, big bread 🍞🔥",
    ],
    4: [
      "Marvellous. It really is 38 degrees in there, and I nearly had to sit down at one point. Livio brought me water without a word.",
    ],
  },
  "monte-brisco-at-sunrise": {
    5: [
      "We had one of the twenty mornings. The mountains came up out of the haze one at a time, and Ettore named them like people entering a room.",
      "Above the fog! Only two other hilltops stuck out, like islands. We drank coffee and nobody wanted to be first to go down.",
      "I was the slowest. He walked behind me the whole way and hummed.",
    ],
    4: [
      "Up at half past two for this, and I'd do it again. The farm breakfast could start a little sooner, I was faint.",
    ],
    3: [
      "Grey in grey, no sun at all. The wood with the woodpeckers on the way down was nice, the rest was getting up early.",
    ],
    2: [
      "Fog, wind, drizzle. Fine, that happens. But the forecast had been saying so for two days, and I'd have been glad to be asked whether I wanted to move.",
    ],
  },
  "vineyard-supper-under-the-pergola": {
    5: [
      "Somebody asked Aldo. Aldo played. At the far end of the table people who had met three hours before were dancing.",
      "The borage ravioli. I asked for the recipe, and Nives laughed and said the recipe is the grandmother.",
    ],
    4: [
      "Lovely long evening. If you don't drink there's only water and a rather sweet grape juice.",
      {
        lang: "de",
        text: "Wunderbares Essen, schöne Gesellschaft. Gegen halb zehn wurde es empfindlich kühl, Decken wären nett.",
      },
    ],
    3: [
      "Good food, but everything took ages, and the bus leaves at the fixed time, so dessert was eaten standing.",
    ],
    2: [
      "I wrote three days ahead that I eat no meat and no cheese. I got the aubergines, twice, and salad. For the full price of five courses that's thin.",
    ],
  },
  "concrete-by-the-sea": {
    5: [
      'I went in thinking "eyesore" and came out wanting to chain myself to the water tower.',
      "Half an hour alone on that roof with a camera and the afternoon shadows. Chiara knows just when to stop talking.",
    ],
    4: [
      "Fascinating place and a guide who doesn't take sides. The photographs of the children in the same rooms are haunting.",
      {
        lang: "es",
        text: "Ruina fascinante. Me habría gustado ver también los dormitorios, pero por seguridad están cerrados.",
      },
    ],
    3: ["For specialists. My partner (an engineer) was in heaven, I mainly saw pigeons."],
    2: [
      "Only one of the three buildings could be entered, on account of loose ceilings. The remainder was a lecture in a car park.",
    ],
  },
  "dawn-chorus-on-the-tarna": {
    5: [
      "By the last stop I could hear six birds where before there had been noise. It has stayed with me; I now miss my tram because of a blackcap.",
      "My mother has been losing her sight for years. On this walk she was the one who told the rest of us what was there. I can't thank Signe enough.",
      "Ten minutes of sitting still is very long, and then not long enough.",
    ],
    4: [
      "Nightingales till seven o'clock. The ground was soaking, so take a proper mat and not a scarf like me.",
    ],
    3: [
      "Nice, but with a noisy group, a thermos dropped at the worst moment, and the road bridge never far off.",
    ],
  },
  "goats-herbs-and-cheese": {
    5: [
      "A kid called Number Nine ate my shoelace, my map and the corner of our bus timetable. Five stars to Number Nine 🐐",
      "Loredana says insurance was the same job: you look after creatures who think they're invincible.",
      "The one in walnut leaves. I bought the whole wheel and regret nothing, although the airline might.",
      {
        lang: "fr",
        text: "Les enfants ont moulé leur fromage, traversé la colline au milieu du troupeau et ne parlent plus que d'ouvrir une chèvrerie.",
      },
    ],
    4: ["Wear long trousers. I say this as a person who did not wear long trousers."],
  },
  "hundred-bends-to-castel-orvano": {
    5: [
      "104 bends, I counted them as well. The jersey came out at the bar without our asking, and so did the story of the puncture in '83.",
      "Even gradient, no cars, a fountain whenever you want one. I've ridden the famous climbs and this one is more fun.",
    ],
    4: [
      "Joined the group that talks. By bend sixty nobody was talking. The hired bike was spotless.",
    ],
    3: [
      "Lovely climb, but the two groups were too far apart in speed and we waited nearly an hour at the top, in sweaty shirts.",
    ],
  },
  "painted-chapels-of-the-tarna-valley": {
    5: [
      "The squinting angels are looking at something behind you. Everyone turns round. Everyone.",
      "From the top of the ladder I was nose to nose with a devil who had been waiting there since 1492. You can see the painter's thumbprint in his ear.",
      {
        lang: "de",
        text: "Fünf Kapellen, fünf Schlüssel, eine Leiter und eine Führerin, die für diese Bilder brennt. Die Suppe im Kloster war auch himmlisch.",
      },
    ],
    4: [
      "What a hell! The fourth chapel is much like the third, to my untrained eye, but the walk between them through the chestnuts is worth it alone.",
    ],
  },
  "chestnuts-charcoal-and-a-foresters-lunch": {
    5: [
      "I stood inside the Bishop with four strangers and none of us spoke. A family lived in there for a winter.",
      "The brother cooks, Ettore talks, the coffee gets burnt by the guests. I'd do it every Saturday.",
    ],
    4: [
      "Very good, and I'll never look at a wood in the same way. Chestnut pasta is heavier than it looks, and there's a hill after lunch.",
    ],
    3: [
      "The smoke in the drying hut was hard on my eyes and lungs, so I ate outside in the rain. Otherwise interesting.",
    ],
  },
  "gravel-and-ricotta-across-the-brisi-hills": {
    5: [
      "Warm ricotta with chestnut honey at eleven o'clock in the morning, dust up to the eyebrows. I've nothing to add.",
      "The ford was hub-deep, Noor went first and came out grinning. It is obvious that this is what she does when nobody pays her.",
    ],
    4: [
      "Tougher than 48 kilometres sound, as the descents are loose and my hands were done in by the end. Wonderful country, not a soul.",
    ],
  },
  "build-a-kite-fly-it-at-capo-falco": {
    5: [
      "It flew!!! Ours has a squid on it, it went up on the first try, and it's coming on the plane as hand luggage.",
    ],
    4: [
      "Great afternoon. The painting needs longer to dry than the children can wait, so we all went home with coloured hands.",
    ],
    3: [
      "There was no wind. The paper gliders were a nice plan B, but we fly home on Tuesday and won't be able to come back with the kite.",
    ],
  },
  "inside-the-organ-of-santelmira": {
    5: [
      "I pumped the bellows for Don Piero. He is eighty-three, he played Frescobaldi, and I stood inside the instrument with the low C in my teeth and my hand on a pipe made of painted canvas.\n\nAfterwards he asked me what I'd thought, and I couldn't answer. He said that was the right answer and poured me a glass.\n\nI don't know why nobody seems to know about this tour. Part of me would like it to stay that way.",
    ],
  },
};

/** Fits any tour. */
export const generalComments: ByStars = {
  5: [
    "Loved it!",
    "Simply great.",
    "Worth every minute.",
    "Would do it again tomorrow.",
    "Thank you, {guide}!",
    "10/10",
    "No notes.",
    "Book it.",
    "❤️❤️❤️",
    "Exactly as described, only better.",
    "Exceeded my expectations, and they were high.",
    "{guide} is a star ⭐",
    "My favourite day of the trip.",
    "The kind of tour you plan the next holiday around.",
    "Small group, warm welcome, and not a boring minute.",
    "A present from my daughters. Best one in years.",
    "Can't fault a thing, and I usually can. Ask my wife.",
    "We were recommended this by our landlady, and have since recommended it to everyone at breakfast.",
    "{guide} remembered all our names after five minutes, and the dog's.",
    "I don't normally write reviews. This deserves one.",
    "You can tell that {guide} still enjoys it after all these years.",
    "Third tour with {guide}, and certainly not the last.",
    "Went alone, felt part of the group straight away.",
    "Well organised from the first message to the goodbye.",
    "Came with three generations, from 8 to 76, and everybody was happy. That never happens.",
    "Forget the guidebook and ask {guide}.",
    "Clear meeting point, on time, honest about what to expect. And then it was still a surprise.",
    "If I could give six stars I would give six, and keep the seventh for {guide}'s jokes.",
    "Booked at the last minute and so glad we did.",
    "A big thank you from the four loud ones at the back!",
    "My partner planned it, I grumbled, I was wrong.",
    "I have been on guided tours where you count the minutes. Here I was sad when it ended.",
    "Everything fitted: the place, the people, the pace.",
    "{guide} answered every single question, even the silly ones (mine).",
    "We still quote {guide} at home.",
    "Honest price, great value, good company.",
    "Really special. Go.",
    "Best decision of the week!",
    "Came back with a head full of stories and a phone with hardly any pictures. A good sign.",
    "Took my parents, who now want to move here.",
    "You won't get this from a brochure.",
    "{guide} has a way of making you look twice at things.",
    "So good that we changed our plans and booked a second tour for the following day.",
    "Made new friends, learnt a lot, laughed even more.",
    "An absolute joy from beginning to end 😊",
    "A guide who loves the place, and doesn't sell it. Rare.",
    "First time in the region, and what a start.",
    "We had a few special requests and they were all met without fuss. Much appreciated.",
    "I've done a good many of the tours on here by now. This one is in my top three.",
    "Short review: do it. Long review: do it soon, before everyone else does.",
    "Even my brother-in-law stopped complaining.",
    "Superb!",
  ],
  4: [
    "Very good.",
    "Really enjoyed it.",
    "Well worth the money.",
    "Good fun, nice people.",
    "Solid tour, friendly guide.",
    "Four and a half, if that were possible.",
    "Great guide, the group was a bit large for my taste.",
    "We liked it a lot. A short break in the middle would have been welcome.",
    "Very well done, just difficult to find parking nearby. Take the bus.",
    "I'd recommend it, but do read the practical notes first. They mean them.",
    "Nearly perfect. We started ten minutes late because of stragglers.",
    "A good choice even if you've been to the area before.",
    "Lovely experience all in all. English was quick at times, though they slow down when you ask.",
    "Nice one 👍",
    "One star off because I'd have liked it to be longer.",
    "Happy with it. Our friends, who went in a different week, were even more enthusiastic.",
    "Informative without being a lecture.",
    "The confirmation mail ended up in my spam, so check. The tour itself was very nice.",
    "Enjoyable and competent. I can imagine it being even better in the low season.",
    "We had a great time, and so did the people we met there.",
    "Just right for a day without plans.",
    "My photos don't do it justice. Some more background reading afterwards would be a nice touch.",
    "Good value, relaxed atmosphere, sore legs.",
    "Would have been five with better weather, which is hardly the organiser's fault.",
    "Pleasantly surprised!",
    "Not cheap for a family of five, but we don't regret it.",
    "Came for one thing and ended up liking something else entirely.",
    "Good. Bring water.",
  ],
  3: [
    "It was OK.",
    "Fine, but I wouldn't do it twice.",
    "Decent, with room for improvement.",
    "Somewhere in the middle. Others in our group were more taken with it than we were.",
    "Too many people for one guide that day.",
    "Not quite what I had imagined from the description.",
    "Nothing wrong with it, but it didn't grab me.",
    "Good start, then it dragged a little.",
    "Average, to be honest.",
    "Nice enough, a bit overpriced.",
  ],
  2: [
    "We started half an hour late and it felt rushed from then on.",
    "Sadly not for us. Communication beforehand was poor, with two different meeting times in two mails.",
    "Far too many participants, we hardly understood a word.",
  ],
  1: ["Disappointing from start to finish.", "Not recommended."],
};

/** Fits any tour of its kind. */
export const kindComments: Record<Exclude<Kind, "plain">, ByStars> = {
  town: {
    5: [
      "Now I walk through every old town looking up.",
      "I've lived in cities with ten times the history and never had it told like this.",
      "Stones that talk, and somebody who translates.",
      "Not a list of dates: people, quarrels, debts, love letters. Brilliant.",
      "We saw doors opened that we would never have dared to knock at.",
      "{guide} has the whole town in her head and shares it generously.",
      "Took pages of notes. I'm a history teacher and shamelessly stealing all of it.",
      "The next day we went round the same streets on our own and saw twice as much.",
      "Did this on our first evening and were glad of it for the rest of the week.",
    ],
    4: [
      "Flat shoes, everyone! The paving is beautiful and merciless.",
      "Very knowledgeable. At times I'd have liked to linger longer in one place.",
      "A fine walk through corners we would have missed.",
      "Interesting for adults; our thirteen-year-old lasted about an hour.",
      "Lots of stairs, lots of stories, in about equal measure.",
    ],
    3: [
      "Interesting facts, but hard to hear in the narrow streets when you're not next to the guide.",
      "More standing than walking. My feet fell asleep before I did.",
    ],
  },
  food: {
    5: [
      "I unbuttoned my trousers on the way home and I'm not ashamed.",
      "Don't eat for a day beforehand.",
      "Every bite had a name and an address.",
      "Nothing fancy, everything perfect. That's how food should be.",
      "We took home a suitcase full of jars. Customs had questions.",
      "Easily the best thing I've eaten this year.",
      "Have since tried to repeat it at home. The neighbours are suddenly very friendly.",
      "{guide} feeds you like a relative who thinks that you've lost weight.",
      "So much more than a tasting. You meet those who make it.",
      "Yum 🤤",
    ],
    4: [
      "Delicious. Very filling, plan a walk afterwards.",
      "Excellent quality throughout. Slightly smaller portions, slightly more time to sit, and it would be perfect.",
      "All very tasty. Not ideal for picky eaters, our youngest lived on bread.",
      "Tried things I'd have sworn I don't like.",
      "Good food and better talk.",
      "Learnt a lot about things I've been buying wrongly for years.",
    ],
    3: ["Tasty, but for this price I had expected a bit more on the plate."],
  },
  water: {
    5: [
      "Salt on the skin, sun in the hair, no wish to go back ashore.",
      "I am usually afraid of deep water. Matteo noticed before I'd said anything and stayed close.",
      "That colour! You think you know blue, and then you don't.",
      "Felt safe the whole time, even with a bit of sea.",
      "Matteo reads the water like other people read the paper.",
      "The highlight of two weeks by the sea, and we were in it every day.",
      "Our kids haven't been this quiet and this happy at the same time for ages.",
      "I'd do it for the smell alone: salt, rope, pine, sun cream.",
      "On the water with somebody who has respect for it. A great few hours 🌊",
    ],
    4: [
      "Fantastic, just take twice as much sun cream as you think.",
      "A good day out. You do get wet, and the seats aren't made for long legs.",
      "Beautiful stretch of coast. A little choppy on the way back.",
      "Small crew, good care, clear safety talk. I'd have liked more time in the water.",
      "Very nice, and well handled when the wind changed.",
      "Had to be moved by a day because of the sea, which was arranged without trouble.",
    ],
    3: [
      "Fun but too crowded on board for the price.",
      "Quite rough that day, so I can't say I enjoyed much of it.",
    ],
  },
  wild: {
    5: [
      "Silence, and somebody who knows when to keep it.",
      "I came home slower than I had left.",
      "You learn to see what's been there all along.",
      "Boots dirty, head clear.",
      "{guide} stopped, put a finger to the lips and pointed. There it was. I'll never forget it.",
      "Getting up that early was the only hard part, and it was forgotten after ten minutes.",
      "Knowledge without showing off, and a flask of good coffee. What else does one need?",
      "There was a time when I thought nature walks were for retired people. I'm 24 and converted 🌿",
      "We'd have walked straight past all of it.",
    ],
    4: [
      "Great guide, great landscape, somewhat optimistic timing.",
      "A really good walk. Don't underestimate the temperature, in either direction.",
      "Peaceful and interesting. Could have done with one more stop to sit down.",
      "You need some patience, and it is rewarded.",
      "A very nice outing, and not nearly as strenuous as I'd feared.",
    ],
    3: [
      "Nice landscape, but long stretches without much happening.",
      "I'd hoped to see more. That's nature for you, I know.",
    ],
  },
  active: {
    5: [
      "Legs like jelly, grin like a child.",
      "Challenging in exactly the right dose.",
      "{guide} knew what I was able to do before I did.",
      "Top equipment, top instruction, top mood.",
      "Never felt rushed and never felt held up. That's an art with a mixed group.",
      "Came as a coward, left as a slightly smaller coward. Very happy.",
      "Sore for three days. Worth it 💪",
      "Birthday outing with colleagues, and even the ones who'd grumbled want to go again.",
      "Safety first, fun a close second.",
    ],
    4: [
      "Great day, a bit more demanding than I'd expected.",
      "Really good. Bring gloves and a second bottle.",
      "The kit was fine, the helmet a little worn. Everything else was tip-top.",
      "Good mix of effort and breaks.",
      "Fun! The fast ones had to wait for the slow ones (me).",
    ],
    3: ["Nice, though the levels in the group were too different for it to work really well."],
  },
  family: {
    5: [
      "The children were asleep by half past seven. Bless you, Pia.",
      '"Can we do it again tomorrow?" (x 14)',
      "Finally something made for children that doesn't talk down to them.",
      "My shy one found friends, my wild one found a task.",
      "Best thing we did with the kids all holiday, water park included.",
      "Parents enjoy it just as much, only they don't admit it 😉",
      "Pia has a bottomless bag and an answer for everything.",
    ],
    4: [
      "Very imaginative. A toilet nearby would help with the little ones.",
      "The kids give it five, I give it four because of the sun.",
      "Great concept, our two were busy and proud.",
    ],
    3: ["Cute, but with that many children the smaller ones hardly got a turn."],
  },
};
