import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RuleTester } from "eslint";
import tseslint from "typescript-eslint";
import { afterAll, describe, it } from "vitest";
import { loneText } from "../../../scripts/lib/lone-text.mjs";

RuleTester.describe = describe;
RuleTester.it = it;

// A project of its own: the types of the whole site would take half a minute to read.
const folder = mkdtempSync(join(tmpdir(), "tour-reviews-lone-text-"));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(
  join(folder, "tsconfig.json"),
  JSON.stringify({
    compilerOptions: { strict: true, jsx: "preserve", lib: ["ES2022"], types: [] },
    files: ["page.tsx"],
  }),
);
writeFileSync(join(folder, "page.tsx"), "");

const tester = new RuleTester({
  languageOptions: {
    parser: tseslint.parser,
    parserOptions: {
      projectService: true,
      tsconfigRootDir: folder,
    },
  },
});

/** A module with these names, whose component shows that. */
const page = (shown: string) => ({
  name: shown,
  filename: join(folder, "page.tsx"),
  code: `declare namespace JSX {
  interface Element { type: string }
  interface IntrinsicElements { [name: string]: object }
}
type ReactNode = JSX.Element | string | null;
declare const name: string, count: number, isNew: boolean;
declare const icon: JSX.Element, maybe: JSX.Element | null;
function Word(): string { return name; }
function Perhaps(): JSX.Element | null { return maybe; }
function Always(): JSX.Element { return icon; }
function Any(): ReactNode { return icon; }
function Page() { ${shown} }`,
});
const shows = (jsx: string) => page(`return ${jsx};`);

const wrong = (messageId: string, ...pages: ReturnType<typeof page>[]) =>
  pages.map((each) => ({ ...each, errors: [{ messageId }] }));

tester.run("lone-text", loneText as unknown as Parameters<typeof tester.run>[1], {
  valid: [
    shows("<p>Welcome</p>"),
    shows("<p>{name}</p>"),
    shows("<p>{`${count} reviews`}</p>"),
    shows('<p>Written by{" "}<b>{name}</b></p>'),
    shows("<p>Written by <Always /></p>"),
    shows("<p>Written by <Any /></p>"),
    shows("<p><b>{name}</b>{maybe}</p>"),
    shows("<p>{/* a reason */}{name}</p>"),
    shows("<><b>{name}</b>{maybe}</>"),
    shows("<p>{isNew ? <b>New</b> : <b>Old</b>}</p>"),
    shows('<p>{isNew ? <b key="new">New <i /></b> : <b key="old"><i /> Old</b>}</p>'),
    shows("<p>{isNew ? <b>New <i /></b> : <i>Old <b /></i>}</p>"),
    page('if (isNew) return <p key="new">New <i /></p>; return <p><i /></p>;'),
  ],
  invalid: [
    ...wrong(
      "alone",
      shows("<p>Written by {name}</p>"),
      shows("<p>{count}<b>reviews</b></p>"),
      shows("<p>Written by <Word /></p>"),
      shows("<p>{isNew && name}<b>reviews</b></p>"),
      shows("<>{name}</>"),
    ),
    ...wrong(
      "beside",
      shows("<p>Welcome {maybe}</p>"),
      shows("<p>Welcome {isNew && <b>back</b>}</p>"),
      shows("<p>Welcome <Perhaps /></p>"),
    ),
    ...wrong("fragment", shows("<>Welcome</>")),
    ...wrong(
      "kept",
      shows("<p>{isNew ? <b>New <i /></b> : <b><i /> Old</b>}</p>"),
      shows("<p>{isNew ? <b><u>New <i /></u></b> : <b><u><i /> Old</u></b>}</p>"),
      shows("<p>{isNew ? <b>New <i /></b> : count > 1 && <b><i /> Old</b>}</p>"),
      page("if (isNew) return <p>New <i /></p>; return <p><i /></p>;"),
      page("const one = () => isNew ? <p>New <i /></p> : <p><i /></p>; return one();"),
    ),
  ],
});
