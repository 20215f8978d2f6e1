import { plainWords } from "./search-words.server";
import { wordSpellings } from "./spellings.server";

// Words of dates that Intl does not know, of the languages in which tours are often written (docs/rules/tours.md, Tours).

/** Alternatives are separated by "|"; each may have several words. */
export interface DateWords {
  today: string;
  tomorrow: string;
  weekend: string;
  /** Only with one of the next two. */
  week: string;
  month: string;
  this: string;
  next: string;
  /** May stand before a date, and goes with it. */
  before: string;
  /** Stands between the day, its month and its year. */
  of: string;
  /** Stands between two dates, of which it makes one period. */
  to: string;
  /** With one of these before it, it is no date, or a date that this does not know. */
  except: string;
}

export const DATE_WORDS: Readonly<Record<string, DateWords>> = {
  english: {
    today: "today|tonight",
    tomorrow: "tomorrow",
    weekend: "weekend",
    week: "week",
    month: "month",
    this: "this",
    next: "next|coming",
    before: "on|in|for|the|from|between",
    of: "of",
    to: "to|until|till|through|and",
    except: "after|before|every|each|last|until|till|since|good|black|easter|palm|ash|shrove",
  },
  german: {
    today: "heute",
    tomorrow: "morgen",
    weekend: "wochenende",
    week: "woche",
    month: "monat",
    this: "diese|dieser|diesen|dieses|diesem",
    next: "nächster|nächsten|nächstes|nächste|kommende|kommenden|kommendes",
    before: "am|den|im|für|vom|von|zwischen",
    of: "",
    to: "bis|bis zum|und",
    except: "jeden|jeder|jedes|letzten|letztes|vor|nach|bis|ab|seit|am morgen|guten",
  },
  french: {
    today: "aujourd'hui|ce soir",
    tomorrow: "demain",
    weekend: "week-end|weekend",
    week: "semaine",
    month: "mois",
    this: "ce|cet|cette",
    next: "prochain|prochaine",
    before: "le|en|pour|du|entre",
    of: "",
    to: "au|à|et|jusqu'au",
    except: "après|avant|chaque|dernier|jusqu'à|depuis",
  },
  spanish: {
    today: "hoy",
    tomorrow: "mañana",
    weekend: "fin de semana",
    week: "semana",
    month: "mes",
    this: "este|esta",
    next: "próximo|próxima",
    before: "el|en|para|del|entre",
    of: "de|del",
    to: "al|a|y|hasta|hasta el",
    except: "pasado|cada|santo|san|la mañana|de mañana|hasta|desde|viernes santo",
  },
  italian: {
    today: "oggi|stasera",
    tomorrow: "domani",
    weekend: "fine settimana|weekend|week-end",
    week: "settimana",
    month: "mese",
    this: "questo|questa",
    next: "prossimo|prossima",
    before: "il|in|per|dal|tra|fra",
    of: "",
    to: "al|a|e|fino al",
    except: "dopo|ogni|scorso|fino|santo|san",
  },
  portuguese: {
    today: "hoje",
    tomorrow: "amanhã",
    weekend: "fim de semana",
    week: "semana",
    month: "mês",
    this: "este|esta|neste|nesta",
    next: "próximo|próxima",
    before: "no|na|em|para|de|entre",
    of: "de",
    to: "a|ao|e|até",
    except: "depois de|cada|todo|santo|são|até|desde",
  },
  dutch: {
    today: "vandaag|vanavond",
    tomorrow: "morgen",
    weekend: "weekend|weekeinde",
    week: "week",
    month: "maand",
    this: "dit|deze",
    next: "volgende|volgend|komende|komend|aanstaande",
    before: "op|in|voor|van|tussen",
    of: "",
    to: "tot|tot en met|t/m|en",
    except: "na|elke|iedere|vorige|afgelopen|tot|sinds|goede",
  },
};

/** Languages of tours as Intl calls them, so far as its names of weekdays and months are used. */
export const LOCALES: Readonly<Record<string, string[]>> = {
  arabic: ["ar"],
  armenian: ["hy"],
  bulgarian: ["bg"],
  danish: ["da"],
  dutch: ["nl"],
  english: ["en-GB", "en-US"],
  finnish: ["fi"],
  french: ["fr"],
  german: ["de", "de-AT"],
  greek: ["el"],
  hungarian: ["hu"],
  indonesian: ["id"],
  irish: ["ga"],
  italian: ["it"],
  lithuanian: ["lt"],
  nepali: ["ne"],
  norwegian: ["nb"],
  portuguese: ["pt"],
  romanian: ["ro"],
  russian: ["ru"],
  serbian: ["sr"],
  spanish: ["es"],
  swedish: ["sv"],
  tamil: ["ta"],
  turkish: ["tr"],
  ukrainian: ["uk"],
};

/** Further names of weekdays, from 0 for Sunday. */
const WEEKDAYS: Readonly<Record<string, Record<string, number>>> = {
  en: { tues: 2, weds: 3, thur: 4, thurs: 4 },
  de: { sonnabend: 6 },
};

/** Names of months and weekdays that are also other words: they need a number, or "next". */
const ORDINARY = "may march mars ocak ekim pazar minggu liepa kovas balandis geguze";

/** Words as they are compared, with a space between them. */
export const plain = (text: string) => plainWords(text).join(" ");

/** Returns them as they may be typed, also without a keyboard that has their letters. */
export const typedPlainly = (text: string) => wordSpellings(text.toLowerCase()).map(plain);

/** Phrases parted by a bar, as they are read in a search. */
export const typedPhrases = (phrases: string) =>
  new Set(phrases.split("|").filter(Boolean).flatMap(typedPlainly));

export interface CalendarName {
  number: number;
  /** Whether it says by itself what it is: not short, and no other word. */
  isCertain: boolean;
}

/** Names of months from 1, or of weekdays from 0 for Sunday. */
export function calendarNames(
  locales: string[],
  part: "month" | "weekday",
): Map<string, CalendarName> {
  const names = new Map<string, CalendarName>();
  const ordinary = new Set(ORDINARY.split(" "));
  for (const width of ["long", "short"] as const)
    for (const locale of locales)
      for (let number = 0; number < (part === "month" ? 12 : 7); number++) {
        // The first of February 2026 is a Sunday.
        const at = Date.UTC(2026, part === "month" ? number : 1, part === "month" ? 1 : 1 + number);
        // Beside a day, a month may have another form.
        for (const more of [{}, { day: "numeric" as const }]) {
          const options = { [part]: width, timeZone: "UTC", calendar: "gregory", ...more } as const;
          const parts = new Intl.DateTimeFormat(locale, options).formatToParts(at);
          for (const name of typedPlainly(parts.find(({ type }) => type === part)?.value ?? "")) {
            if (name === "" || names.has(name) || /^\d+$/.test(name)) continue;
            const isCertain = width === "long" && !ordinary.has(name);
            names.set(name, { number: part === "month" ? number + 1 : number, isCertain });
          }
        }
      }
  const further = part === "weekday" ? locales.map((locale) => WEEKDAYS[locale.slice(0, 2)]) : [];
  for (const some of further)
    for (const [name, number] of Object.entries(some ?? {}))
      names.set(name, { number, isCertain: true });
  return names;
}
