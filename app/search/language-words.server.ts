// Words that the search knows more about than how they are spelt (docs/rules/tours.md, Tours). Their other forms, such as
// plurals, belong to them.

/**
 * English words that say nothing about a tour. The library's list lacks "a" and has names, such as "May" and "Will".
 */
export const ENGLISH_STOP_WORDS =
  "a an and any are as at be but by for from how i in into is it me my near of on or our some that the there this to us we what when where which who with you your";

/** Said of every tour, or meaning any: these words leave no tour out. */
export const GENERIC: Readonly<Record<string, string>> = {
  english:
    "tour trip excursion outing experience activity attraction adventure sightseeing visit guide session class course lesson workshop tasting watching making day half full thing something anything do see go best top good great",
  german:
    "tour führung rundgang ausflug reise erlebnis aktivität besichtigung besuch kurs workshop verkostung probe",
  french: "tour visite excursion sortie expérience activité cours atelier dégustation",
  spanish: "tour visita excursión experiencia actividad clase curso taller degustación cata",
  italian: "tour visita escursione gita esperienza attività corso lezione degustazione",
  portuguese: "tour passeio visita excursão experiência atividade aula curso degustação",
  dutch: "tour rondleiding excursie uitje ervaring activiteit bezoek cursus workshop proeverij",
};

/** English words whose last s makes no plural: "Paris" is no form of "parish". Others end in -us, -sis or -polis. */
export const NO_PLURALS =
  "atlas canvas christmas debris gas iris lens news paris series species tennis texas trellis";

/** English plurals in -us. */
export const PLURALS_IN_US = "emus gnus gurus haikus kudus menus tutus";

/** English words in -er that are not someone who does it: a flower does not flow. */
export const NO_AGENTS =
  "barber butter corner counter cover dinner finger flower former ladder letter layer lower master matter meter number offer order pepper poster powder power quarter river shower silver spider summer supper tower upper water winter";
