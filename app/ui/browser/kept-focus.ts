// A page without React is loaded anew when its reader sorts, filters or searches: the focus stays where it was, and so does
// what is typed until the page is there.

const NAME = "focus";

interface KeptFocus {
  path: string;
  name: string;
  value: string | null;
}

const USED = "main :is(a[href], button, input, select)";

const elementName = (element: Element) =>
  [element.tagName, element.id, element.getAttribute("name"), element.textContent].join(" ");

function storeFocus(): void {
  const focused = document.activeElement;
  if (!focused?.matches(USED)) return;
  const value = focused instanceof HTMLInputElement ? focused.value : null;
  const kept: KeptFocus = { path: location.pathname, name: elementName(focused), value };
  try {
    sessionStorage.setItem(NAME, JSON.stringify(kept));
  } catch {
    // The next page begins at its top.
  }
}

function takeKeptFocus(): KeptFocus | null {
  try {
    const kept = sessionStorage.getItem(NAME);
    sessionStorage.removeItem(NAME);
    return JSON.parse(kept ?? "null") as KeptFocus | null;
  } catch {
    return null;
  }
}

/** Restores the focus that an element of this page had before, if the reader chooses something with it. */
export function keepFocus(): void {
  addEventListener("pagehide", storeFocus);
  const kept = takeKeptFocus();
  const [navigation] = performance.getEntriesByType("navigation");
  const isNew = (navigation as PerformanceNavigationTiming | undefined)?.type === "navigate";
  if (!kept || !isNew || kept.path !== location.pathname) return;
  const element = [...document.querySelectorAll<HTMLElement>(USED)].find(
    (one) => elementName(one) === kept.name,
  );
  if (!element?.closest("form, [aria-current=true]")) return;
  const focus = () => element.focus({ preventScroll: true });
  focus();
  // A fragment of the address takes the focus away once the browser has scrolled there.
  addEventListener("load", () => document.activeElement === document.body && focus());
  if (element instanceof HTMLInputElement && kept.value !== null) element.value = kept.value;
}
