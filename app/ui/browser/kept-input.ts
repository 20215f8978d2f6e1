// Keeps what a visitor typed, chose, opened and focused before the scripts took over the page.
// React takes over elements as they are, but when it finds elements that the server did not send,
// such as an extension's, it renders the whole page again.

const KEPT =
  "input:not([type=hidden]), textarea, select, details, summary, button, a[href], [tabindex], [popover]";

/** The key of an element. The address of its form distinguishes fields of the same name. */
function elementName(element: Element): string {
  const attributes = ["id", "type", "name", "value", "href"].map((of) => element.getAttribute(of));
  return [element.tagName, element.closest("form")?.getAttribute("action"), ...attributes].join(
    " ",
  );
}

/** The elements by name; of several with one name, the second one is the second one later, too. */
function byName(site: Element): Map<string, HTMLElement> {
  const elements = new Map<string, HTMLElement>();
  for (const element of site.querySelectorAll<HTMLElement>(KEPT)) {
    let name = elementName(element);
    while (elements.has(name)) name += "+";
    elements.set(name, element);
  }
  return elements;
}

/** An element that React has replaced still holds what was typed until then. */
function copyInput(from: HTMLElement, to: HTMLElement): void {
  if (from instanceof HTMLDetailsElement) (to as HTMLDetailsElement).open = from.open;
  if (from instanceof HTMLInputElement) (to as HTMLInputElement).checked = from.checked;
  if ("value" in from && "value" in to && to.value !== from.value) to.value = from.value;
}

/** The caret or selection of a field of text; others have none. */
function copySelection(from: HTMLElement, to: HTMLElement): void {
  const { selectionStart, selectionEnd, selectionDirection } = from as Partial<HTMLInputElement>;
  if (typeof selectionStart === "number")
    (to as HTMLInputElement).setSelectionRange(
      selectionStart,
      selectionEnd ?? selectionStart,
      selectionDirection ?? undefined,
    );
}

const focus = (element: HTMLElement) => element.focus({ preventScroll: true });

const isOpen = (element: HTMLElement) =>
  "showPopover" in element && element.matches(":popover-open");

/**
 * Watches what is in `site` until `restore`, which belongs right behind React's changes. `refocus` belongs behind the
 * first effects of the page, which focus what is new to a visitor who does nothing yet.
 */
export function keepInput(site: HTMLElement): { restore: () => void; refocus: () => void } {
  const before = byName(site);
  let focused = document.activeElement as HTMLElement;
  let opened = [...before.values()].find(isOpen);
  const end = new AbortController();
  const options = { capture: true, signal: end.signal };
  site.addEventListener(
    "focusin",
    () => (focused = document.activeElement as HTMLElement),
    options,
  );
  // Later, because browsers say so of an element that React removes, too.
  const blurred = () => {
    if (!end.signal.aborted) focused = document.activeElement as HTMLElement;
  };
  site.addEventListener("focusout", () => queueMicrotask(blurred), options);
  const toggled = ({ target }: Event) => {
    const element = target as HTMLElement;
    if (element.popover) opened = isOpen(element) ? element : undefined;
  };
  site.addEventListener("toggle", toggled, options);

  let kept: HTMLElement | undefined;
  const restore = () => {
    end.abort();
    kept = focused;
    if ([...before.values()].every((element) => element.isConnected)) return;
    const after = byName(site);
    for (const [name, old] of before) {
      const replaced = after.get(name);
      if (!replaced || old.isConnected) continue;
      copyInput(old, replaced);
      if (old === opened) replaced.showPopover();
      if (old !== focused) continue;
      kept = replaced;
      focus(replaced);
      copySelection(old, replaced);
    }
  };
  const refocus = () => {
    if (kept && kept !== document.body && kept !== document.activeElement) focus(kept);
  };
  return { restore, refocus };
}
