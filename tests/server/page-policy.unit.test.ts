import { expect, it } from "vitest";
import { policyHash } from "~/lib/digest.server";
import { ownScripts, pagePolicy } from "~/server/page-policy.server";

const page = (written: string) =>
  `<head><script>meta</script></head><body><div id="site"><p>${written}</p><script>scroll</script></div>` +
  `<link rel="modulepreload" href="x"><script>context</script><script type="module" async="">import</script></body></html>`;

const scriptsIn = (html: string) =>
  /script-src ([^;]*)/.exec(pagePolicy(ownScripts(html)))![1]!.split(" ");

it("allows the page's own scripts, and none that somebody could write into it", () => {
  const own = ["scroll", "context", "import"].map(policyHash);
  const foreign = "<script>bad</script></div><script>worse</script></div><script src=x></script>";
  for (const written of ["", foreign]) expect(scriptsIn(page(written))).toEqual(["'self'", ...own]);
});
