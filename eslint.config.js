import { defineConfig, globalIgnores } from "eslint/config";
import { createTypeScriptImportResolver } from "eslint-import-resolver-typescript";
import compat from "eslint-plugin-compat";
import { importX } from "eslint-plugin-import-x";
import reactHooks from "eslint-plugin-react-hooks";
import regexp from "eslint-plugin-regexp";
import tseslint from "typescript-eslint";
import { loneText } from "./scripts/lib/lone-text.mjs";

/** The rooms from the upper to the lower ones (docs/architecture.md). Each imports only from those below it. */
const ROOMS = [
  "app/routes",
  "app/server",
  "app/me",
  "app/import",
  "app/moderation",
  "app/guides",
  "app/tours",
  "app/personal-data",
  "app/requests",
  "app/reviews",
  "app/search",
  "app/accounts",
  "app/mail",
  "app/jobs",
  "app/db",
  "app/ui",
  "emails",
  "app/lib",
  "app/config",
  "models",
];

/** The settings of a capability leave with its folder, so the list of all settings imports them from there. */
const SETTINGS_OF_CAPABILITIES = ["./webhooks/settings.server.ts", "./embeds/settings.server.ts"];

/** By "Browsers" of docs/rules/pages.md. */
const TOO_NEW = "Not every browser that is promised has it.";

export default defineConfig(
  globalIgnores(["build/", "public/build/", "test-results/", ".cache/", ".data/", "app/env.d.ts"]),
  tseslint.configs.recommendedTypeChecked,
  {
    files: ["app/**"],
    ignores: ["app/**/*.server.ts"],
    extends: [reactHooks.configs.flat.recommended],
  },
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // Remix's control flow: loaders and actions throw responses.
      "@typescript-eslint/only-throw-error": "off",
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "@typescript-eslint/unbound-method": "off",
    },
  },
  {
    plugins: { "import-x": importX },
    settings: {
      // Without them the rule looks for cycles only in JavaScript.
      ...importX.flatConfigs.typescript.settings,
      "import-x/resolver-next": [createTypeScriptImportResolver()],
    },
    rules: {
      "import-x/no-cycle": ["error", { ignoreExternal: true }],
      "import-x/order": [
        "error",
        { groups: ["builtin", "external", "internal", "parent", "sibling"] },
      ],
      "import-x/no-restricted-paths": [
        "error",
        {
          basePath: import.meta.dirname,
          zones: [
            ...ROOMS.map((room, index) => ({
              target: room,
              from: ["scripts", "tests", ...ROOMS.slice(0, index)],
              except: room === "app/config" ? SETTINGS_OF_CAPABILITIES : [],
              message: `${room} imports only from itself and from ${ROOMS.slice(index + 1).join(", ") || "packages"}.`,
            })),
            {
              target: ["app/routes/**", "app/**/*.tsx"],
              from: ["models", "emails"],
              message: "A page gets plain data from its capability's *.server.ts.",
            },
            {
              target: ROOMS.filter(
                (room) => !["app/db", "app/jobs", "app/reviews", "app/tours"].includes(room),
              ),
              from: ["app/db/embedded"],
              message:
                "Only app/db, leases, the lists of reviews and departures know the special needs of the embedded database.",
            },
          ],
        },
      ],
    },
  },
  {
    // Matching what anybody sends must take a time that grows no faster than its length.
    files: ["app/**", "emails/**", "models/**", "scripts/**"],
    plugins: { regexp },
    rules: {
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": [
        "error",
        { report: "potential", ignoreSticky: false, ignorePartial: false },
      ],
      // The rule above does not see a repeat behind a beginning that the text may have thousands of times.
      "no-restricted-syntax": [
        "error",
        {
          selector: "Literal[regex.pattern=/^(?!\\^)[^]*[*+][^]*\\$$/]",
          message:
            "A pattern with a repeat up to the end is tried anew at each beginning: begin it with ^.",
        },
      ],
    },
  },
  { files: ["models/**"], rules: { "@typescript-eslint/no-non-null-assertion": "error" } },
  {
    files: ["app/**"],
    plugins: { site: { rules: { "lone-text": loneText } } },
    rules: { "max-lines": ["error", 250], "site/lone-text": "error" },
  },
  {
    // The code that browsers get, too, has only what those of `browserslist` have (docs/rules/pages.md, Browsers).
    files: ["app/**/*.{ts,tsx}"],
    ignores: ["app/**/*.server.{ts,tsx}", "app/routes/*.ts"],
    extends: [compat.configs["flat/recommended"]],
    rules: {
      // The plugin above sees constructors, and these neither.
      "no-restricted-properties": [
        "error",
        ...Object.entries({
          AbortSignal: ["any"],
          Array: ["fromAsync"],
          Iterator: ["from"],
          Map: ["groupBy"],
          Math: ["f16round", "sumPrecise"],
          Object: ["groupBy"],
          Promise: ["try", "withResolvers"],
          RegExp: ["escape"],
          URL: ["canParse", "parse"],
        }).flatMap(([object, properties]) =>
          properties.map((property) => ({ object, property, message: TOO_NEW })),
        ),
        ...["difference", "intersection", "isDisjointFrom", "isSubsetOf", "isSupersetOf"].map(
          (property) => ({ property, message: TOO_NEW }),
        ),
        ...["symmetricDifference", "union"].map((property) => ({ property, message: TOO_NEW })),
      ],
    },
  },
  {
    files: ["tests/**"],
    // Matchers such as expect.any are typed as any.
    rules: {
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
    },
  },
  { files: ["**/*.{js,mjs}"], extends: [tseslint.configs.disableTypeChecked] },
);
