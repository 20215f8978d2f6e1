import { followLinks } from "~/ui/browser/followed-links";
import { findPlace, keepPlace, LEAVING, onAny, READING } from "./kept-places";

// "More reviews" on a page without React adds the next part below, as `added-reviews.ts` does with React.

const moreLink = () => document.querySelector<HTMLAnchorElement>("a[data-more]");

/** The history entry's name, which a page that was come back to has still. */
function entryKey(): string {
  const state = (history.state ?? {}) as { key?: string };
  const key = state.key ?? Math.random().toString(36).slice(2);
  history.replaceState({ ...state, key }, "");
  return key;
}

/**
 * Adds the reviews of the page that the link leads to. Returns the first that is new, if any is; null when the page does
 * not arrive.
 */
async function addPart(
  link: HTMLAnchorElement,
): Promise<{ first: HTMLElement | null | undefined } | null> {
  const next = await fetch(link.href)
    .then((answer) => (answer.ok ? answer.text() : null))
    .catch(() => null);
  if (next === null) return null;
  const page = new DOMParser().parseFromString(next, "text/html");
  const added = [...page.querySelectorAll<HTMLElement>(".reviews > li")].filter(
    (item) => !document.getElementById(item.querySelector("article")?.id ?? ""),
  );
  document.querySelector(".reviews")?.append(...added);
  const shown = document.querySelectorAll(".reviews > li").length.toLocaleString("en-GB");
  const count = document.querySelector<HTMLElement>("[data-shown]");
  if (count) count.textContent = count.textContent.replace(/[\d,]+/, shown);
  const further = page.querySelector("a[data-more]");
  if (further) link.replaceWith(further);
  else link.remove();
  return { first: added[0]?.querySelector("article") };
}

async function follow(link: HTMLAnchorElement): Promise<boolean> {
  const words = link.textContent;
  link.setAttribute("aria-disabled", "true");
  link.textContent = "Loading …";
  document.querySelector("[data-more-failed]")?.remove();
  const part = await addPart(link);
  if (part) {
    (part.first ?? moreLink())?.focus({ preventScroll: true });
    return true;
  }
  link.textContent = words;
  link.removeAttribute("aria-disabled");
  const alert = document.createElement("span");
  alert.role = "alert";
  alert.dataset.moreFailed = "";
  alert.textContent = " We got no answer. Check your connection and try again.";
  link.after(alert);
  return false;
}

/** Makes the link add its reviews to the page. A reader who comes back finds as many, and the place. */
export function followMore(): void {
  if (!moreLink()) return;
  const key = entryKey();
  let parts = 0;
  const notePlace = () => parts > 0 && keepPlace({ key, parts, y: window.scrollY });
  onAny(LEAVING, notePlace);
  followLinks("more", async (link) => {
    if (link.ariaDisabled === "true") return;
    if (await follow(link)) parts++;
    notePlace();
  });
  const place = findPlace(key);
  if (place) void restore(place).then((added) => (parts = added));
}

async function restore({ parts, y }: { parts: number; y: number }): Promise<number> {
  let isReading = false;
  const ignore = onAny(READING, () => (isReading = true));
  let added = 0;
  for (let link = moreLink(); link && added < parts; link = moreLink(), added++)
    if (!(await addPart(link))) break;
  ignore();
  if (!isReading && added > 0) window.scrollTo({ top: y, behavior: "instant" });
  return added;
}
