import { defineConfig, globalIgnores } from "eslint/config";
import { createTypeScriptImportResolver } from "eslint-import-resolver-typescript";
import { importX } from "eslint-plugin-import-x";
import reactHooks from "eslint-plugin-react-hooks";
import regexp from "eslint-plugin-regexp";
import tseslint from "typescript-eslint";
import { loneText } from "./scripts/lib/lone-text.mjs";

/** The rooms, and what each may import besides itself (docs/architecture.md). Imports only go down. */
const ROOMS = {
  "app/routes": ["app/components", "app/http", "app/services", "app/infra"],
  "app/components": ["app/services", "app/infra"],
  "app/http": ["app/services", "app/infra"],
  "app/services": ["app/store", "emails", "app/infra", "models"],
  "app/store": ["app/infra", "models"],
  "app/infra": ["models"],
  emails: ["app/infra", "models"],
  models: [],
};
const rooms = Object.keys(ROOMS);

/** The folders of the services, and which others each may import. */
const SERVICES = {
  import: ["accounts", "reviews"],
  moderation: ["accounts", "reviews", "notifications"],
  accounts: ["reviews", "notifications"],
  reviews: ["tours", "notifications"],
  tours: ["notifications"],
  notifications: [],
};
const services = Object.keys(SERVICES);

export default defineConfig(
  globalIgnores(["build/", "public/build/", "test-results/", ".cache/", ".data/", "app/env.d.ts"]),
  tseslint.configs.recommendedTypeChecked,
  { files: ["app/**"], extends: [reactHooks.configs.flat.recommended] },
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
            ...rooms.map((room) => ({
              target: room,
              from: ["scripts", "tests", ...rooms].filter(
                (other) => other !== room && !ROOMS[room].includes(other),
              ),
              message: `${room} imports only from ${[...ROOMS[room], "itself"].join(", ")}.`,
            })),
            {
              target: ["app/services", "app/routes"],
              from: ["app/store/embedded"],
              message: "Only app/store knows the special needs of the embedded database.",
            },
            ...services.map((folder) => ({
              target: `app/services/${folder}`,
              from: services
                .filter((other) => other !== folder && !SERVICES[folder].includes(other))
                .map((other) => `app/services/${other}`),
              message: `Of the services, ${folder} imports only ${SERVICES[folder].join(", ") || "itself"}.`,
            })),
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
  {
    files: ["app/**"],
    plugins: { site: { rules: { "lone-text": loneText } } },
    rules: { "max-lines": ["error", 250], "site/lone-text": "error" },
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
