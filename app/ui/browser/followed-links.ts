import { opensElsewhere } from "./share";

/** Calls `follow` in place of the browser for links with that data attribute, also for those that come later. */
export function followLinks(
  name: string,
  follow: (link: HTMLAnchorElement) => void | Promise<void>,
): void {
  addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>(`a[data-${name}]`);
    if (!link || opensElsewhere(event)) return;
    event.preventDefault();
    void follow(link);
  });
}
