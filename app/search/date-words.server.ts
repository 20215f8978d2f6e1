import { wordsOf } from "./search-words.server";

// Words of dates that Intl does not know, of the languages in which tours are often written (docs/rules/tours.md, Tours).

/** Alternatives are separated by "|"; each may have several words. */
export interface DateWords {
  today: string;
  tomorrow: string;
  weekend: string;
  this: string;
  next: string;
  /** May stand before a date, and goes with it. */
  before: string;
  /** Stands between the day, its month and its year. */
  of: string;
  /** With one of these before it, it is no date, or a date that this does not know. */
  except: string;
}

export const DATE_WORDS: Readonly<Record<string, DateWords>> = {
  english: {
    today: "today|tonight",
    tomorrow: "tomorrow",
    weekend: "weekend",
    this: "this",
    next: "next|coming",
    before: "on|in|for|the",
    of: "of",
    except: "after|before|every|each|last|until|till|since|good|black|easter|palm|ash|shrove",
  },
  german: {
    today: "heute",
    tomorrow: "morgen",
    weekend: "wochenende",
    this: "dieser|diesen|dieses|diesem",
    next: "nächster|nächsten|nächstes|nächste|kommenden|kommendes",
    before: "am|den|im|für",
    of: "",
    except: "jeden|jeder|jedes|letzten|letztes|vor|nach|bis|ab|seit|am morgen|guten",
  },
  french: {
    today: "aujourd'hui|ce soir",
    tomorrow: "demain",
    weekend: "week-end|weekend",
    this: "ce|cet",
    next: "prochain|prochaine",
    before: "le|en|pour",
    of: "",
    except: "après|avant|chaque|dernier|jusqu'à|depuis",
  },
  spanish: {
    today: "hoy",
    tomorrow: "mañana",
    weekend: "fin de semana",
    this: "este",
    next: "próximo|próxima",
    before: "el|en|para",
    of: "de|del",
    except: "pasado|cada|santo|san|la mañana|de mañana|hasta|desde|viernes santo",
  },
  italian: {
    today: "oggi|stasera",
    tomorrow: "domani",
    weekend: "fine settimana|weekend|week-end",
    this: "questo|questa",
    next: "prossimo|prossima",
    before: "il|in|per",
    of: "",
    except: "dopo|ogni|scorso|fino|santo|san",
  },
  portuguese: {
    today: "hoje",
    tomorrow: "amanhã",
    weekend: "fim de semana",
    this: "este|esta|neste|nesta",
    next: "próximo|próxima",
    before: "no|na|em|para",
    of: "de",
    except: "depois de|cada|todo|santo|são|até|desde",
  },
  dutch: {
    today: "vandaag|vanavond",
    tomorrow: "morgen",
    weekend: "weekend|weekeinde",
    this: "dit|deze",
    next: "volgende|volgend|komende|komend|aanstaande",
    before: "op|in|voor",
    of: "",
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
  german: ["de"],
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

/** Names of months and weekdays that are also other words: they need a number, or "next". */
const ORDINARY = "may march mars ocak ekim pazar minggu liepa kovas balandis geguze";

/** Words as they are compared, with a space between them. */
export const plain = (text: string) =>
  (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).flatMap((word) => wordsOf(word)).join(" ");

export interface Name {
  number: number;
  /** Whether it says by itself what it is: not short, and no other word. */
  isCertain: boolean;
}

/** Names of months from 1, or of weekdays from 0 for Sunday. */
export function namesOf(locales: string[], part: "month" | "weekday"): Map<string, Name> {
  const names = new Map<string, Name>();
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
          const name = plain(parts.find(({ type }) => type === part)?.value ?? "");
          if (name === "" || names.has(name) || /^\d+$/.test(name)) continue;
          const isCertain = width === "long" && !ordinary.has(name);
          names.set(name, { number: part === "month" ? number + 1 : number, isCertain });
        }
      }
  return names;
}
