// Makes elements by itself, because a page without React opens it, too (docs/decisions/007-pages-without-javascript.md).

const SIGNS = {
  Close: "m6 6 12 12M18 6 6 18",
  "Previous picture": "m15 5-7 7 7 7",
  "Next picture": "m9 5 7 7-7 7",
};

/**
 * Opens the picture of that link over the page, and those of the links in its list beside it: to be swiped, or moved
 * through by buttons and arrow keys. Its end gives the focus back to the link.
 */
export function openPictures(link: HTMLAnchorElement): void {
  const links = [
    ...(link.closest("ul")?.querySelectorAll<HTMLAnchorElement>("a[data-picture]") ?? []),
  ];
  const strip = makeElement("div", {
    class: "viewer-strip",
    role: "group",
    "aria-label": "Pictures",
  });
  // Otherwise, what scrolls is not reached by keyboard.
  strip.tabIndex = 0;
  strip.append(...links.map(makeFigure));
  const place = makeElement("p", { class: "viewer-place", role: "status" });
  const heading = document.querySelector("h1")?.textContent ?? "";
  const dialog = makeElement("dialog", { class: "viewer", "aria-label": `Pictures of ${heading}` });
  const at = () => Math.round(strip.scrollLeft / strip.clientWidth);
  const scrollToPicture = (index: number) =>
    (strip.scrollLeft = ((index + links.length) % links.length) * strip.clientWidth);
  const showPlace = () => (place.textContent = `${at() + 1} of ${links.length}`);
  dialog.append(
    strip,
    place,
    makeButton("Close", () => dialog.close()),
  );
  if (links.length > 1)
    dialog.append(
      makeButton("Previous picture", () => scrollToPicture(at() - 1)),
      makeButton("Next picture", () => scrollToPicture(at() + 1)),
    );
  strip.addEventListener("scroll", showPlace);
  dialog.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    // The browser would scroll by a little, and from there to a further one.
    event.preventDefault();
    scrollToPicture(at() + step);
  });
  const left = new AbortController();
  dialog.addEventListener("close", () => {
    left.abort();
    dialog.remove();
    link.focus();
  });
  // Going back leaves the viewer, too.
  addEventListener("popstate", () => dialog.close(), { signal: left.signal });
  document.body.append(dialog);
  dialog.showModal();
  scrollToPicture(links.indexOf(link));
  showPlace();
}

function makeElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string>,
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** The picture of the link as large as there is room, and below it what it shows. */
function makeFigure(link: HTMLAnchorElement): HTMLElement {
  const { src, srcset, alt } = link.querySelector<HTMLImageElement>("img:last-of-type")!;
  const image = makeElement("img", {
    sizes: "100vw",
    alt,
    loading: "lazy",
    referrerpolicy: "no-referrer",
  });
  if (srcset) image.srcset = srcset;
  image.src = src;
  const figure = makeElement("figure", {});
  figure.append(image);
  const { caption } = link.dataset;
  if (caption) {
    // The picture has said it.
    const words = makeElement("figcaption", { dir: "auto", "aria-hidden": "true" });
    words.textContent = caption;
    figure.append(words);
  }
  return figure;
}

function makeButton(name: keyof typeof SIGNS, press: () => void): HTMLButtonElement {
  const made = makeElement("button", { type: "button", "aria-label": name });
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "sign");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", SIGNS[name]);
  svg.append(path);
  made.append(svg);
  made.addEventListener("click", press);
  return made;
}
