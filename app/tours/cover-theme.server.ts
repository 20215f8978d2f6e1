/** By the words of tours that are about it; of two that fit alike, the first. */
const WORDS = {
  ride: "bike bicycle cycling cyclist ride ebike mtb gravel pedal scooter tandem",
  vineyard: "wine vineyard winery cellar grape vintage vintner cider orchard olive",
  food: "food eat taste lunch dinner supper breakfast cook kitchen market bakery baker bread cheese pizza pasta chocolate coffee tea spice restaurant picnic cuisine culinary dish recipe dessert tapas sushi ricotta anchovy brewery beer",
  night:
    "night star stargazing moon midnight ghost lantern lamp candle dusk nocturnal astronomy aurora firefly dark",
  wildlife:
    "bird birdwatching wildlife animal safari bat owl fox deer bear wolf wolves otter elephant lion penguin turtle flamingo heron goat sheep horse butterfly butterflies bee insect orchid nature chorus",
  sea: "sea ocean coast coastal beach bay boat sail sailor yacht harbour harbor island isle lighthouse snorkel dive scuba surf swim fisherman fishermen tide reef dolphin whale ferry marine pirate cove lagoon cruise pool seagrass",
  river:
    "river lake stream canal waterfall canoe kayak raft paddle brook estuary wetland delta bridge",
  rock: "rock climb climber cave caver cliff crag canyon gorge ferrata boulder limestone peak alpine mountaineer abseil volcano glacier",
  forest:
    "forest forester wood woodland tree jungle rainforest mushroom foraging chestnut charcoal garden botanical park",
  past: "castle palace church chapel cathedral museum history historic historical ancient ruin roman medieval temple monastery fort fortress monument archaeology heritage art gallery paint organ concert king queen tomb modernist",
  town: "town city street square quarter neighbourhood neighborhood alley architecture district downtown urban staircase village mural graffiti",
  hills:
    "hill hike hiker trek mountain valley path trail ridge pass meadow pasture countryside sunrise mule kite",
} as const;

type CoverTheme = keyof typeof WORDS;
const COVER_THEMES = Object.keys(WORDS) as CoverTheme[];

const COVERS_PER_THEME = 4;

/** Characters of each text that are looked at. */
const LONGEST_TEXT = 1_000;

const LETTERS = /[a-z]+/g;

/** A word with its English endings; some of them are no words, which does no harm. */
function formsOf(word: string): string[] {
  const base = word.replace(/e$/, "");
  const doubled = word + word.at(-1)!;
  const ends = [`${word}s`, `${word}es`, word.replace(/y$/, "ies")];
  return [word, ...ends, ...[base, word, doubled].flatMap((stem) => [`${stem}ing`, `${stem}ed`])];
}

const themes = new Map(
  Object.entries(WORDS).flatMap(([theme, words]) =>
    words
      .split(" ")
      .flatMap(formsOf)
      .map((form) => [form, theme as CoverTheme] as const),
  ),
);

interface Described {
  id: string;
  title: string;
  location: string | null;
  description: string;
}

function themeOf({ title, location, description }: Described): CoverTheme {
  let leaders = COVER_THEMES;
  for (const text of [title, location ?? "", description]) {
    const words = new Set(text.slice(0, LONGEST_TEXT).toLowerCase().match(LETTERS));
    const found = [...words].map((word) => themes.get(word));
    const countOf = (theme: CoverTheme) => found.filter((other) => other === theme).length;
    const best = Math.max(...leaders.map(countOf));
    if (best > 0) leaders = leaders.filter((theme) => countOf(theme) === best);
    if (leaders.length === 1) break;
  }
  return leaders === COVER_THEMES ? "hills" : leaders[0]!;
}

const numberOf = (id: string) => Number.parseInt(id.slice(-6), 16) % COVERS_PER_THEME;

/**
 * As in `/covers/sea-3.svg`: the theme by the words of the title, among those that fit alike by the place, then by the
 * description; hills where these say nothing. The same in every process.
 */
export const coverOf = (tour: Described): string => `${themeOf(tour)}-${numberOf(tour.id)}`;

/**
 * `coverOf` in the tours' order, or another one of its theme where one of the three before shows the same. A tour with
 * a picture of its own shows no drawing.
 */
export function coversOf(tours: (Described & { picture: object | null })[]): string[] {
  const shown: string[] = [];
  return tours.map((tour) => {
    const theme = themeOf(tour);
    const last = shown.slice(1 - COVERS_PER_THEME);
    let number = numberOf(tour.id);
    while (last.includes(`${theme}-${number}`)) number = (number + 1) % COVERS_PER_THEME;
    const cover = `${theme}-${number}`;
    if (tour.picture === null) shown.push(cover);
    return cover;
  });
}
