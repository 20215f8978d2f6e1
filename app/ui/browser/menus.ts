import { opensElsewhere } from "./share";

const MENUS = "details:is(.menu, .review-menu)";

const enclosingMenu = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLDetailsElement>(MENUS) : null;

function closeMenu(menu: HTMLDetailsElement): void {
  menu.open = false;
  menu.querySelector("summary")?.focus();
}

/** Closes a folded menu on Escape, where the focus leaves it, and, if its links are a choice, once one is chosen. */
export function closeMenus(): void {
  addEventListener("keydown", ({ key, target }) => {
    const menu = enclosingMenu(target);
    if (key === "Escape" && menu?.open) closeMenu(menu);
  });
  addEventListener("focusout", ({ target, relatedTarget }) => {
    const menu = enclosingMenu(target);
    // A press on what takes no focus has none.
    if (menu && relatedTarget && enclosingMenu(relatedTarget) !== menu) menu.open = false;
  });
  addEventListener("click", (event) => {
    const menu = enclosingMenu(event.target);
    const isChoice = menu?.matches(".menu") && (event.target as Element).closest("a");
    if (menu && isChoice && !opensElsewhere(event)) closeMenu(menu);
  });
}
