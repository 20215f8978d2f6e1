/** Makes the buttons of examples copy them. Where a page may not copy, the example is selected for its reader. */
export function copyExamples(): void {
  addEventListener("click", ({ target }) => {
    const button = (target as Element).closest("button[data-copy]");
    const code = button?.closest("figure")?.querySelector("code");
    const said = button?.nextElementSibling;
    if (code && said) void copyExample(code).then((words) => (said.textContent = words));
  });
}

async function copyExample(code: Element): Promise<string> {
  try {
    // Pages without HTTPS have no clipboard, and a browser may refuse it.
    await navigator.clipboard.writeText(code.textContent);
    return "Copied";
  } catch {
    getSelection()?.selectAllChildren(code);
    return "Selected: copy it yourself.";
  }
}
