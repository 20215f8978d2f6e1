import { opensElsewhere } from "./share";

const MENUS = "details:is(.menu, .review-menu)";

const menuOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLDetailsElement>(MENUS) : null;

function close(menu: HTMLDetailsElement): void {
  menu.open = false;
  menu.querySelector("summary")!.focus();
}

/** Closes a folded menu on Escape, where the focus leaves it, and, if its links are a choice, once one is chosen. */
export function closeMenus(): void {
  addEventListener("keydown", ({ key, target }) => {
    const menu = menuOf(target);
    if (key === "Escape" && menu?.open) close(menu);
  });
  addEventListener("focusout", ({ target, relatedTarget }) => {
    const menu = menuOf(target);
    // A press on what takes no focus has none.
    if (menu && relatedTarget && menuOf(relatedTarget) !== menu) menu.open = false;
  });
  addEventListener("click", (event) => {
    const menu = menuOf(event.target);
    const isChoice = menu?.matches(".menu") && (event.target as Element).closest("a");
    if (menu && isChoice && !opensElsewhere(event)) close(menu);
  });
}
