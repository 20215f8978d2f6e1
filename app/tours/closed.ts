/** The note on a tour that its platform has closed (docs/rules/import.md, Records by the API). */
export const CLOSED = "This tour is no longer offered.";
