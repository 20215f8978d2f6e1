// Loaded before the app: makes it render each page over and over for that many milliseconds, and say before the page how
// many times a second it could. Nothing else that an answer takes counts.
import { createRequire } from "node:module";

const server = createRequire(import.meta.url)("react-dom/server");

for (const name of ["renderToString", "renderToStaticMarkup"]) {
  const render = server[name];
  server[name] = (tree) => {
    const ms = Number(process.env.BENCH_RENDER_MS);
    const began = performance.now();
    let [times, html] = [0, ""];
    for (; performance.now() < began + ms; times++) html = render(tree);
    return `<!--${(times * 1_000) / (performance.now() - began)}-->${html}`;
  };
}
