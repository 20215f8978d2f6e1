/** The explorers and guides of the demo. */
import type { Language } from "./comments";
import type { GuideKey } from "./tours";

export const guides: Record<GuideKey, string> = {
  ilaria: "Ilaria Bonfante",
  matteo: "Matteo Carrega",
  signe: "Signe Halvorsen",
  tomas: "Tomáš Veselý",
  chiara: "Chiara Montaldi",
  bruno: "Bruno Aldighieri",
  noor: "Noor van der Meulen",
  pia: "Pia Castagnola",
  ettore: "Ettore Zanfrini",
};

/** An explorer's name; `email` is the part before the @ if it does not follow from the name. */
export interface Person {
  name: string;
  lang?: Language;
  email?: string;
  /** Whether this explorer goes on more tours than most. */
  keen?: boolean;
}

// prettier-ignore
const german = [
  "Annegret Böhm", "Lukas Reinhardt", "Sabine Köster", "Jürgen Weiß", "Franziska Lindner",
  "Tobias Hauser", "Heike Sommerfeld", "Matthias Grüninger", "Lena Ackermann", "Urs Zbinden",
  "Theresa Moosbrugger",
];

// prettier-ignore
const french = [
  "Élodie Marchand", "Jean-Baptiste Roux", "Camille Lefèvre", "Aurélie d'Hérouville", "Benoît Tissot",
  "Océane Perrin", "Gaëlle Le Goff", "François Vandamme", "Mathilde Besson", "Thibault Garnier",
];

// prettier-ignore
const spanish = [
  "Lucía Fernández Ortega", "Íñigo Arrieta", "Marta Sanjuán", "Joaquín Peña", "Ximena Ríos",
  "Núria Puigdevall", "Álvaro Castaño", "Carmen",
];

// prettier-ignore
const portuguese = [
  "João Quintela", "Inês Carvalhal", "Beatriz Gonçalves", "Tiago Brandão", "Conceição Almeida", "Caio",
];

// prettier-ignore
const others = [
  "Hannah Whitfield", "Oluwaseun Adeyemi", "Priya Raghunathan", "Marek Wiśniewski",
  "Yuki", "Grace Mbeki", "Daniel Osei", "Zoë Hartog", "Callum Fraser", "Aino Virtanen",
  "Rasmus Kjær", "Ngozi Eze", "Wei Ling Tan", "Arjun Mehta", "Bohdan Kovalchuk", "Elif Şahin",
  "Marta Jabłońska", "Patrick Nolan", "Dimitra Papadaki", "Gwen", "Ruth Abernathy", "Isak Nyström",
  "Katalin Szőke", "Mehmet Yıldız", "Fatima Zahra Benali", "Tom", "Rebecca Steinberg", "Hiroshi Tanabe",
  "Ana-Maria Ionescu", "Petra Dvořáková", "Ciarán Mulcahy", "Leilani Kahale", "Vikram Joshi",
  "Eleanor Pritchard", "Gudrun Þorsteinsdóttir", "Samuel Okonkwo", "Jasmine Clarke", "Anders Bakke",
  "Mirela Hadžić", "Luca Ferrante", "Giulia Sbarbaro", "Pieter Claes", "Femke Dijkstra", "Noémie",
  "Sofia Lindgren",
  "Raj", "Harriet Boyle", "Milan Petrović", "Tereza Nováková", "Kwame Boateng", "Linnea Ekholm",
  "Oscar Thorne", "Maeve Gallagher", "Stefan Dimitrov", "Agnieszka Zając", "Nadia Haddad", "Ben Carlisle",
  "Ingrid Solberg", "Chloe Penhaligon", "Viktor Lazarenko", "Dana Shapiro", "Emre", "Lotte Vermeer",
  "Winston Campbell", "Amara Diallo", "Fergus MacInnes", "Judit Halász", "Mei", "Robert Ashworth",
  "Sunniva Dahl", "Teodora Ilić", "Alessandra Conti", "Hugo Westerberg", "Nia Llewellyn", "Omar Farouk",
  "Jana Krajčí", "Peter Mortensen", "Deirdre Kavanagh", "Andrei Popescu", "Saoirse", "Kirsten Holm",
  "Malik Johnson", "Veronika Blažková", "Edith Warburton", "Tariq Aziz Rahman", "Paulien de Wit",
  "Julian Marsh", "Roza Nazarova", "Eero Lahtinen", "Imogen Tait", "Salvatore Greco", "Michiko Arai",
  "Gareth Pugh-Jones", "Aisha", "Norbert Fekete", "Frances Underhill", "Lars-Erik Sandström",
  "Divya Krishnan", "Colm Ó Briain", "Zuzana Horváthová", "Marcus Bell", "Adaeze Nwosu", "Ellen Vos",
  "Theo Karras", "Jelena Marković", "Stuart Menzies", "Wanda Kaczmarek", "Kofi", "Rosalind Peake",
  "Søren Østergaard", "Hala Khoury", "Timea Barta", "Derek Sandiford", "Min-jun Park", "Louisa Grant",
  "Antti", "Brigid Doyle",
];

const person =
  (lang?: Language) =>
  (name: string): Person => ({ name, lang });

export const explorers: Person[] = [
  ...german.map(person("de")),
  ...french.map(person("fr")),
  ...spanish.map(person("es")),
  ...portuguese.map(person("pt")),
  ...others.map(person()),
  { name: "", email: "sea.legs", keen: true },
  { name: "Siobhán O'Dowd", keen: true },
  {
    name: "Bartholomew Fitzgerald-Montgomery of Little Wittenham and Upper Slaughter",
    email: "bartholomew.fitzgerald",
    keen: true,
  },
  { name: "Νεφέλη Παππά", email: "nefeli.pappa", keen: true },
  { name: "山本健太", email: "kenta.yamamoto" },
  { name: "Оксана Бондар", email: "oksana.bondar" },
];
