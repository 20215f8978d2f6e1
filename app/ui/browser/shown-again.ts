/**
 * A page without React that the browser shows again as it was left is loaded anew if it is another one by now, as after
 * a log-in. Its search is that of its address again.
 */
export function checkWhenShownAgain(): void {
  const sent = document.documentElement.outerHTML;
  addEventListener("pageshow", ({ persisted }) => {
    const [navigation] = performance.getEntriesByType("navigation");
    const isBack = (navigation as PerformanceNavigationTiming | undefined)?.type === "back_forward";
    if (persisted || isBack)
      for (const form of document.querySelectorAll<HTMLFormElement>("form[role=search]"))
        form.reset();
    if (persisted) void loadIfChanged(sent);
  });
}

async function loadIfChanged(sent: string): Promise<void> {
  const answer = await fetch(location.href, { cache: "no-cache" }).catch(() => null);
  if (!answer) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (page.documentElement.outerHTML !== sent) location.reload();
}
