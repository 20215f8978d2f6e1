// Words of prices, ages, durations and languages in the languages in which tours are often written (docs/rules/tours.md,
// Tours).

/** Alternatives are separated by "|"; each may have several words. */
export interface FactWords {
  /** From one on, with a space between them; alternatives are separated by "/". */
  numbers: string;
  half: string;
  and: string;
  /** Phrases before a number that is the most. */
  most: string;
  /** Phrases before a number that is the least: no limit of a list. */
  least: string;
  cheap: string;
  /** Words behind a number that is neither a price nor an age. */
  others: string;
  hours: string;
  minutes: string;
  /** Phrases before and behind an age. */
  aged: string;
  old: string;
  child: string;
  /** Phrases before and behind a language. */
  speaks: string;
  spoken: string;
}

export const FACT_WORDS: Readonly<Record<string, FactWords>> = {
  english: {
    numbers: "one/an/a two three four five six seven eight nine ten eleven twelve",
    half: "half an|half a|half",
    and: "and|or",
    most: "under|below|less than|up to|at most|max|maximum|no more than|not more than|cheaper than|within|shorter than",
    least: "over|above|more than|at least|from|min|minimum|longer than|every|after",
    cheap: "cheap|cheapest|cheaper|inexpensive|affordable|low cost|low budget|budget",
    others:
      "people|persons|person|guests|participants|adults|children|kids|pax|km|kilometres|kilometers|miles|m|metres|meters|feet|steps|degrees|years|year|weeks|days|day|nights|minutes|minute|percent|kg|th|st|nd|rd",
    hours: "hour|hours|hr|hrs|h",
    minutes: "minute|minutes|min|mins",
    aged: "aged|age|ages|age of",
    old: "year old|years old|year olds|years olds|yr old|yrs old|yo|y o|years of age",
    child: "child|children|kid|kids|son|daughter|boy|girl|grandson|granddaughter|grandchild",
    speaks: "in|speaks|speak|spoken in",
    spoken: "speaking|speaker|speakers|language|guide|guides|guided|tour|tours|commentary|spoken",
  },
  german: {
    numbers: "ein/eine zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    half: "halbe|halben",
    and: "und|oder",
    most: "unter|bis|bis zu|höchstens|maximal|max|weniger als|kürzer als",
    least: "über|mehr als|mindestens|ab|nach|länger als|alle",
    cheap: "billig|billige|günstig|günstige|preiswert|preiswerte",
    others:
      "personen|leute|gäste|teilnehmer|erwachsene|kinder|km|kilometer|m|meter|tage|tag|grad|stufen",
    hours: "stunde|stunden|std|h",
    minutes: "minute|minuten|min",
    aged: "alter",
    old: "jahre alt|jahre|jahren|jahr|jährig|jährige|jährigen|jähriger|jähriges",
    child: "kind|kinder|kindern|sohn|tochter|junge|mädchen",
    speaks: "auf|in|spricht",
    spoken: "führung|führungen|guide|tour|touren|rundgang|sprachig|sprechend|sprache",
  },
  french: {
    numbers: "un/une deux trois quatre cinq six sept huit neuf dix onze douze",
    half: "demi|demie",
    and: "et|ou",
    most: "moins de|sous|jusqu'à|au plus|maximum|max",
    least: "plus de|au moins|minimum|à partir de|dès|après",
    cheap: "pas cher|pas chère|bon marché|économique|abordable",
    others: "personnes|participants|adultes|enfants|km|m|mètres|jours|jour|marches",
    hours: "heure|heures|h",
    minutes: "minute|minutes|min",
    aged: "âge de|âgé de|âgée de",
    old: "ans|an",
    child: "enfant|enfants|fils|fille",
    speaks: "en|parle",
    spoken: "guide|visite|langue",
  },
  spanish: {
    numbers: "un/una dos tres cuatro cinco seis siete ocho nueve diez once doce",
    half: "media",
    and: "y|o",
    most: "menos de|por debajo de|hasta|máximo|como máximo|max",
    least: "más de|al menos|mínimo|desde|a partir de|después de",
    cheap: "barato|barata|baratos|baratas|económico|económica|asequible",
    others: "personas|participantes|adultos|niños|km|m|metros|días|día",
    hours: "hora|horas|h",
    minutes: "minuto|minutos|min",
    aged: "edad de",
    old: "años|año",
    child: "hijo|hija|niño|niña|niños",
    speaks: "en|habla",
    spoken: "guía|visita|tour|idioma",
  },
  italian: {
    numbers: "un/una due tre quattro cinque sei sette otto nove dieci undici dodici",
    half: "mezza|mezz'",
    and: "e|o",
    most: "meno di|sotto|sotto i|fino a|massimo|al massimo|max",
    least: "più di|oltre|almeno|minimo|da|dopo",
    cheap: "economico|economica|economici|poco costoso|conveniente",
    others: "persone|partecipanti|adulti|bambini|km|m|metri|giorni|giorno",
    hours: "ora|ore|h",
    minutes: "minuto|minuti|min",
    aged: "età di",
    old: "anni|anno",
    child: "figlio|figlia|bambino|bambina|bambini",
    speaks: "in|parla",
    spoken: "guida|visita|tour|lingua",
  },
  portuguese: {
    numbers: "um/uma dois/duas três quatro cinco seis sete oito nove dez onze doze",
    half: "meia",
    and: "e|ou",
    most: "menos de|abaixo de|até|máximo|no máximo|max",
    least: "mais de|pelo menos|mínimo|desde|a partir de|depois de",
    cheap: "barato|barata|baratos|baratas|econômico|económico|acessível",
    others: "pessoas|participantes|adultos|crianças|km|m|metros|dias|dia",
    hours: "hora|horas|h",
    minutes: "minuto|minutos|min",
    aged: "idade de",
    old: "anos|ano",
    child: "filho|filha|criança|crianças",
    speaks: "em|fala",
    spoken: "guia|visita|tour|língua",
  },
  dutch: {
    numbers: "een/één twee drie vier vijf zes zeven acht negen tien elf twaalf",
    half: "half|halve",
    and: "en|of",
    most: "onder|tot|minder dan|hoogstens|maximaal|max|korter dan",
    least: "boven|meer dan|minstens|vanaf|na|langer dan|elke",
    cheap: "goedkoop|goedkope|voordelig|betaalbaar",
    others: "personen|mensen|deelnemers|volwassenen|kinderen|km|m|meter|dagen|dag",
    hours: "uur|uren|u|h",
    minutes: "minuut|minuten|min",
    aged: "leeftijd van",
    old: "jaar|jaar oud|jarige|jarig",
    child: "kind|kinderen|zoon|dochter",
    speaks: "in|spreekt",
    spoken: "gids|rondleiding|tour|talig|taal|sprekend|sprekende",
  },
};

export const CURRENCY_WORDS =
  "euro|euros|eur|dollar|dollars|usd|bucks|pound|pounds|gbp|quid|chf|franken|francs|franc|yen|jpy|kronor|kroner|kr|sek|nok|dkk|pln|czk|huf|aud|cad|nzd|inr|cny|zar|brl|mxn";

/** Languages in which tours are often led, as `languageCode` returns them; those of the tours come in addition. */
export const TOUR_LEADING =
  "ar bg ca cs da de el en es et eu fa fi fr ga he hi hr hu hy id is it ja ka ko lt lv ms nb nl pl pt ro ru sk sl sq sr sv ta th tr uk ur vi zh";
