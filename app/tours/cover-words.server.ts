// The covers' themes, by words in the languages of `RELATED`, as they are without accents: "*" is any beginning or
// ending, "_" a space.

/** Things to do and to see. Of a title's words the one that stands further up here counts. */
export const SUBJECTS = {
  climb:
    "ferrata* climb* boulder* abseil* rappel* crag kletter* klettersteig* escalad* arrampica* falesia* alpinis* mountaineer*",
  dive: "dive diving diver scuba* snorkel* freediv* underwater seagrass coral reef tauch* schnorchel* plongee* buceo* esnorquel* immersione immersioni subacque*",
  surf: "surf* kitesurf* windsurf* bodyboard* wakeboard*",
  balloon:
    "balloon* ballon* heissluft* montgolfier* mongolfier* globo* paraglid* parapent* parapend* gleitschirm*",
  snow: "ski skiing skier skitour* snow* sled sledge husky huskies glacier* ice_climbing schnee* langlauf* neige raquettes nieve esqui* neve ciaspol*",
  desert: "desert camel* dune* sahara bedouin* oasis wuste* kamel* chameau* camello* cammell*",
  safari: "safari* elephant* elefant* giraffe* lion savanna* zebra* rhino*",
  bike: "bike biking bicycle* bicicl* bici cycle cycling cyclist* ebike* mtb gravel pedal* tandem* scooter* segway* vespa* fahrrad* rad radtour* mountainbike* velo vtt ciclis* fiets*",
  horse:
    "horse* pony ponies equestrian riding reiten reiter* reitausflug* reittour* pferd* cheval chevaux equitation caballo* cavall* donkey*",
  train:
    "train tram* railway* rail steam_train treno treni ferrovia* zug zugfahrt* bahn* eisenbahn* ferrocarril* tren funicular* viaduct*",
  cave: "cave caving cavern* grotto* grotta grotte cueva* gruta* hohle* spelunk* potholing stalactit*",
  kayak: "kayak* kajak* kanu* canoe* canoa* paddle paddling paddel* raft* piragu*",
  sail: "sail* yacht* boat boating catamaran* katamaran* segel* bootsfahrt* bootstour* schifffahrt* bateau* voilier* barca barche vela veliero barco* velero* crucero* crociera* cruise croisiere* ferry traghetto* gondola* whale dolphin* delfin* balena balene",
  harbour: "fish fishing fishermen fisherman pesca* peche pecheur* fischer* angeln",
  bread:
    "bread bakery bakeries baker baking brot* backerei* *backerei backen boulanger* panaderia* panetteria* panificio* forno pizza* pizzaiolo* focaccia* pastry pastries patisserie* pasticceria* sourdough croissant*",
  coffee:
    "coffee cafe espresso* barista* kaffee* caffe tea teahouse* chocolate* schokolade* chocolat* cioccolat* cacao cocoa gelato* ice_cream",
  beer: "beer brewery breweries brewing bier* biere* brasserie* cerve* birr* pub cider*",
  vineyard:
    "vineyard* grape vine vigneto vigneti vignoble* vigneron* vinedo* weinberg* winzer* weingut* vendang* vendemmia pergola",
  wine: "wine winery wineries cellar* vin vino vini vinho wein* sommelier* enoteca* bodega* cantina cantine distiller* whisky whiskey cocktail* grappa champagne* prosecco",
  olive:
    "olive oliven* oliva* olivo ulivo ulivi oleoteca frantoio olive_oil oil_tasting orchard* lemon_grove almond*",
  farm: "farm farming goat* sheep shepherd* cow dairy pasture* bauernhof* ferme fattoria granja* malga alm alpaca* llama* bee beekeep* honey",
  forest:
    "forest forester forestry wald waldbaden rainforest* jungle* foret* bosque* bosco boschi wood woodland* mushroom* pilz* champignon* funghi forage foraging chestnut* castagn* truffle* tartuf* charcoal",
  market:
    "market markt* *markt mercado* mercat* marche bazaar* souk* street_food streetfood food_walk food_tour stall",
  cooking:
    "cook cooking cookery kitchen* food lunch* dinner* supper* breakfast* brunch* eat eating tasting taste cuisine* cuisiner kochen kochkurs* kuche* kulinar* cocina* cucina* cucinare culinar* gastro* recipe* rezept* recette* cheese* kase fromage* queso* formaggi* ricotta pasta tapas pintxo* sushi ramen spice* picnic* anchov* degusta*",
  craft:
    "pottery potter ceramic* keramik* topfer* poterie* alfar* craft handicraft* handwerk* artigian* artesan* artisan* weaving weaver knitting glassblow* carpent* blacksmith*",
  mural: "mural* street_art streetart graffiti* urban_art murales",
  photo: "photo* foto* camera",
  owl: "owl bat nocturnal eule fledermaus* hibou* chouette* gufo gufi buho* murcielago* pipistrell* firefly fireflies",
  birds:
    "bird birding birdwatch* birdsong vogel* oiseau* pajaro* uccell* ornithol* ornitol* heron* flamingo* stork* eagle* dawn_chorus wetland* salt_pan salina saline salinas marsh marshes puffin*",
  deer: "wildlife animal* deer stag wolf wolves fox foxes bear lynx ibex chamois beaver* otter* moose reindeer wildtier* tiere faune fauna cerf*",
  stars:
    "star stargaz* astronom* sternen* sterne etoile* estrella* stelle planetarium* milky_way aurora* northern_lights nordlicht* telescop* moon mond meteor",
  lantern:
    "lantern* laterne* ghost* geister* haunted spooky candle* torchlight vampire* halloween midnight mitternacht minuit after_dark by_night bei_nacht la_nuit de_noche di_notte",
  music:
    "music* musik* musique* musica* concert* konzert* concierto* concerto* opera opernhaus* theatre* theater* teatro* jazz organ orgel* orgue* flamenco fado danc* tanz tanzen tanzkurs* danza* ballet* piano cabaret* comedy",
  waterfall: "waterfall* wasserfall* cascade* cascada* cascata* cascate falls",
  canyon: "canyon* gorge* schlucht* gola barranco* ravine* klamm",
  lighthouse: "lighthouse* leuchtturm* phare* faro fari",
  garden:
    "garden* garten jardin* giardin* yoga flower* wildflower* blume* fleur* flores fiori orchid* botan* tulip* lavend* butterfly butterflies",
  castle:
    "castle* castello castelli castillo* chateau* burg burgen schloss* *schloss palace* palais palacio* palazz* palast* fort fortress* fortezza* festung* citadel* knight* king queen royal",
  church:
    "church* chapel* cathedral* basilica* monastery monasteries abbey* kirche* *kirche dom kloster* eglise* cathedrale* iglesia* catedral* chiesa chiese cappell* capilla* duomo convent convento couvent",
  ruins:
    "ruin* roman ancient archaeolog* archeolog* temple* tempel* templo* tempio templi column* amphitheat* pompei* pompeii acropolis etruscan*",
  museum:
    "museum* *museum museo* musei musee* gallery galleries galerie* galeria* galleria* painting painter art arts kunst* exhibition* sculpture*",
  kite: "kite family families familie* famille* familia* famiglia* child children kid kinder enfant* nino* bambin* toddler* playground pirate* treasure",
  beach:
    "beach* strand plage* playa* spiaggia* spiagge rock_pool tide_pool tidepool* seashell* swim* schwimm* cove",
};

/** Where it is, which counts where nothing says more. */
export const SCENES = {
  bike: "ride",
  peaks:
    "peak summit* mount mountain* mont monte monti alp alpi alpen alpes berg bergtour* gipfel* vetta vette montagn* montan* sommet* cumbre* ridge* refuge rifugio hut volcano* vulkan* etna dolomit* himalaya*",
  hike: "hike hiking hiker trail* trek* path* wander* randonn* sentier* sendero* senderismo escursion* cammino camino pilgrim* ramble* hill* countryside meadow* valley* vallee* valle *wanderung *wanderweg",
  climb: "rock fels* cliff*",
  river:
    "river* bridge* brucke* fluss* fleuve riviere* rio fiume pont ponte ponti puente* canal* stream brook",
  kayak: "lake* lac lago laghi lagoon* bergsee*",
  city: "city cities stadt ciudad* citta skyline* skyscraper* modern modernis* downtown urban concrete",
  ruins: "history historic* geschichte* histoire* historia* storia storico heritage",
  harbour: "harbour* harbor* port porto porti puerto* marina hafen* quay dock",
  town: "town* altstadt* street* strada strade strasse* rue calle stair* steps alley* village* dorf borgo borghi pueblo* quarter square piazza plaza architect* neighbourhood* neighborhood* walking_tour",
  forest: "tree trees park nature natur naturaleza natura",
  lighthouse: "coast* kuste* costa cote cape capo",
  beach: "sea seaside mer mar mare meer ocean* bay island* insel* isola isole ile isla isle",
  lantern: "night evening nacht nuit noche notte",
  castle: "castel",
};

/** For each theme those that come nearest. */
export const NEAR: Readonly<Record<string, string>> = {
  balloon: "hike photo",
  beach: "lighthouse surf sail",
  beer: "market cooking",
  bike: "hike peaks river",
  birds: "river forest garden",
  bread: "cooking market coffee",
  canyon: "climb peaks waterfall",
  castle: "ruins town church",
  cave: "canyon climb",
  church: "town castle ruins",
  city: "town river",
  climb: "peaks canyon cave",
  coffee: "bread market",
  cooking: "market bread",
  craft: "market museum",
  deer: "forest hike",
  desert: "canyon safari",
  dive: "beach sail",
  farm: "hike garden olive",
  forest: "deer garden hike",
  garden: "farm forest",
  harbour: "sail lighthouse",
  hike: "peaks forest river",
  horse: "hike farm",
  kayak: "river waterfall",
  kite: "hike beach farm",
  lantern: "stars town",
  lighthouse: "beach harbour",
  market: "cooking bread town",
  mural: "city museum",
  museum: "mural craft ruins",
  music: "museum town",
  olive: "vineyard farm",
  owl: "deer stars",
  peaks: "hike snow climb",
  photo: "hike peaks",
  river: "kayak waterfall",
  ruins: "castle museum",
  safari: "desert deer",
  sail: "harbour lighthouse",
  snow: "peaks forest",
  stars: "owl lantern",
  surf: "beach lighthouse",
  town: "city castle church",
  train: "river peaks",
  vineyard: "wine olive",
  waterfall: "river canyon forest",
  wine: "vineyard olive",
};
