/**
 * Words of each language that mean much the same: on each line words that find one another, and after ">" words that are
 * only found. An operator's own replace them (`RELATED_WORDS`).
 */
export const RELATED: Readonly<Record<string, readonly string[]>> = {
  english: [
    "hike trek ramble > trail path ridge summit mountain ascent",
    "walk stroll",
    "cycle cyclist bike bicycle > ebike mtb",
    "seasick > sick nausea nauseous queasy",
    "boat cruise sail yacht > ship ferry catamaran",
    "canoe kayak paddle raft",
    "climb abseil boulder > ferrata",
    "cave grotto spelunking potholing",
    "dive scuba snorkel",
    "cook cookery culinary > kitchen recipe cuisine",
    "food culinary gastronomy > cuisine lunch dinner supper",
    "dinner supper",
    "wine > vineyard winery cellar",
    "beer brewery",
    "bird birding ornithology > birdsong songbird owl flamingo heron warbler nightingale eagle",
    "wildlife animal safari",
    "child children kid family toddler",
    "beach coast seaside shore",
    "harbour harbor port marina",
    "mountain peak summit",
    "city town",
    "castle fort fortress",
    "church cathedral chapel",
    "gallery museum",
    "history historic heritage",
    "photo photograph photography",
    "night nocturnal evening",
    "star stargazing astronomy",
    "sunrise dawn daybreak",
    "sunset dusk twilight",
  ],
  german: [
    "wandern wanderung trekking > bergtour gipfel",
    "rad fahrrad velo bike > ebike",
    "boot schiff segeln yacht > fähre katamaran",
    "kanu kajak paddeln",
    "klettern bouldern > klettersteig",
    "höhle grotte",
    "tauchen schnorcheln",
    "kochen kulinarisch > küche rezept",
    "wein > weingut winzer",
    "bier brauerei",
    "kind kinder familie",
    "strand küste ufer",
    "burg schloss festung",
    "kirche dom kapelle kathedrale",
    "museum galerie",
    "sterne astronomie sternwarte",
    "sonnenuntergang abenddämmerung",
  ],
  french: [
    "randonnée trek marche > sentier sommet",
    "vélo bicyclette vtt",
    "bateau voilier croisière yacht > ferry catamaran",
    "canoë kayak pagaie",
    "grotte caverne",
    "plongée snorkeling",
    "cuisine cuisiner gastronomie culinaire > recette",
    "vin > vignoble vigneron cave",
    "bière brasserie",
    "enfant famille",
    "plage côte littoral",
    "château forteresse",
    "église cathédrale chapelle",
    "musée galerie",
    "étoile astronomie",
  ],
  spanish: [
    "senderismo caminata trekking > sendero cumbre",
    "bicicleta bici ciclismo",
    "barco velero crucero yate > ferry catamarán",
    "canoa kayak piragua",
    "cueva gruta",
    "buceo esnórquel snorkel",
    "cocina cocinar gastronomía culinario > receta",
    "vino > viñedo bodega",
    "cerveza cervecería",
    "niño niña familia",
    "playa costa",
    "castillo fortaleza",
    "iglesia catedral capilla",
    "museo galería",
    "estrella astronomía",
  ],
  italian: [
    "escursionismo trekking camminata > sentiero vetta",
    "bicicletta bici ciclismo",
    "barca vela crociera yacht > traghetto catamarano",
    "canoa kayak",
    "grotta caverna",
    "immersione snorkeling",
    "cucina cucinare gastronomia culinario > ricetta",
    "vino > vigneto cantina",
    "birra birrificio",
    "bambino bambina famiglia",
    "spiaggia costa",
    "castello fortezza",
    "chiesa cattedrale cappella duomo",
    "museo galleria",
    "stella astronomia",
  ],
};

// Words that the search knows more about than how they are spelt (docs/rules/tours.md, Tours). Their other forms, such as
// plurals, belong to them.

/**
 * English words that say nothing about a tour. The library's list lacks "a" and has names, such as "May" and "Will".
 */
export const ENGLISH_STOP_WORDS =
  "a an and any are as at be but by for from how i in into is it me my near of on or our some that the there this to us we what when where which who with you your";

/** Further words that are no topic of a review: they say how, when or how much, not of what. */
export const FILLERS: Readonly<Record<string, string>> = {
  english:
    "about above across actually after again against ago ahead all almost alone along already also although always among another anyone anything around away back because been before began begin behind being below beside between beyond both bring brought call called came can cannot could did does doing done down during each early either else end enough even ever every everybody everyone everything exactly except feel felt few first found four gave get gets getting give given goes going gone got had has have having he her here hers him his however if inside instead its itself just keep kept knew know last late later least left less let like little long look looked lot lots made many may maybe might more most much must near nearly need needed never new next no nobody none nor not nothing now off often old once one only onto other others ought out outside over own part perhaps put quite rather really said same saw say second seem seemed seen several shall she should since so somebody someone sometimes soon still such take taken tell than their them themselves then these they think this those though thought three through throughout till time times together told too took toward towards turn turned twice two under until up upon use used very want wanted was way well went were whether while whole whose why will wish with within without would yes yet",
};

/** Words that fit every tour: they leave none out. */
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
