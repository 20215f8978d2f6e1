/** How many parts stood below the page of a history entry, and where the window was. */
export interface KeptPlace {
  key: string;
  parts: number;
  y: number;
}

const NAME = "more reviews";

/** How many history entries are kept, and how many parts of each are loaded again. */
const KEPT_PLACES = 20;
const KEPT_PARTS = 10;

// Some windows have no storage, or a full one.

const keptPlaces = (): KeptPlace[] => {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? "[]") as KeptPlace[];
  } catch {
    return [];
  }
};

export const findPlace = (key: string) => keptPlaces().find((kept) => kept.key === key);

export function keepPlace(place: KeptPlace): void {
  const kept = { ...place, parts: Math.min(place.parts, KEPT_PARTS) };
  const others = keptPlaces().filter(({ key }) => key !== place.key);
  try {
    sessionStorage.setItem(NAME, JSON.stringify([...others, kept].slice(-KEPT_PLACES)));
  } catch {
    // The list begins anew then.
  }
}

/** Calls `listener` at each of these events until the returned function is called. */
export function onAny(events: string[], listener: () => void): () => void {
  const options = { capture: true, passive: true };
  for (const event of events) addEventListener(event, listener, options);
  return () => {
    for (const event of events) removeEventListener(event, listener, options);
  };
}

/** Where a reader who leaves is noted; a browser tells of scrolling with its next frame, which may come too late. */
export const LEAVING = ["scroll", "click", "pagehide"];

/**
 * Events that show that a reader has continued. The position of the window does not: it follows the page's height, too.
 */
export const READING = ["wheel", "touchmove", "pointerdown", "keydown"];
