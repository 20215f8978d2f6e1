import { readdirSync } from "node:fs";
import { basename } from "node:path";
import type { Access, Change, User } from "./access";
import { TO_LOG_IN, TO_LOG_IN_WITH_FIELDS, UNAUTHORIZED, USERS } from "./access";
import { isApi, ROUTES } from "./manifest";
import type { Scene, World } from "./world";

// The tables of all routes, which tests/support/access.unit.test.ts and tests/reviews/authorization.http.test.ts compare
// with Remix' own list.

const folder = new URL("../routes/", import.meta.url);

/** The names of the files in tests/routes. */
export const TABLES = readdirSync(folder);

/** The name of the table of the route in that file of app/routes. */
export const tableOf = (file: string) => basename(file).replace(/\.tsx$/, ".ts");

const found = ROUTES.filter(({ file }) => TABLES.includes(tableOf(file))).map(
  async ({ pattern, file }) => {
    const { href } = new URL(tableOf(file), folder);
    const table = (await import(/* @vite-ignore */ href)) as { default: Access };
    return [pattern, table.default] as const;
  },
);
/** By the patterns of the routes. */
export const ACCESS = new Map(await Promise.all(found));

/** The table of the route with that pattern. */
export function accessTo(pattern: string): Access {
  const access = ACCESS.get(pattern);
  if (!access) throw new Error(`${pattern} has no table in tests/routes`);
  return access;
}

export function addressOfPattern(pattern: string, scene: Scene): string {
  const { address = pattern } = accessTo(pattern);
  return typeof address === "string" ? address : address(scene);
}

/** The user whose page it is, or one of those who may read it. */
export function readerOf(pattern: string) {
  const { readers } = accessTo(pattern);
  return typeof readers === "object" ? readers.only : "author";
}

/** All requests that change something, by names such as `POST /me/account profile`. */
export const CHANGES = [...ACCESS].flatMap(([pattern, { changes = {} }]) =>
  Object.entries(changes).map(([key, change]) => {
    const [method, intent] = key.split(" ") as [string, string?];
    const name = [method, pattern, intent].filter(Boolean).join(" ");
    return [name, toRequest(pattern, method, intent, change)] as const;
  }),
);

function toRequest(pattern: string, method: string, intent: string | undefined, change: Change) {
  const api = isApi(pattern);
  /** The answer to that user, or to strangers. */
  const answerTo = (user: User | null) =>
    user ? (change[user] ?? change.users) : change.strangers;
  const fields = (world: World) =>
    typeof change.fields === "function" ? change.fields(world) : (change.fields ?? {});
  const isOnlyForUsers = [UNAUTHORIZED, TO_LOG_IN, TO_LOG_IN_WITH_FIELDS].includes(
    change.strangers,
  );
  const user = USERS.find((user) => answerTo(user).status < 400) ?? "author";
  return {
    pattern,
    method,
    intent,
    api,
    answerTo,
    fields,
    /** A user who may send it, if anybody may; null if nobody has to log in for it. */
    sender: isOnlyForUsers ? user : null,
    path: (scene: Scene) => addressOfPattern(pattern, scene),
    /** The body of its request, as `call` expects it; `more` adds fields or replaces them. */
    body(world: World, more: Record<string, string | number> = {}) {
      const own = { ...fields(world), ...more };
      if (api) return { body: own };
      const form = Object.entries({ ...own, ...(intent && { intent }) });
      return { raw: new URLSearchParams(form.map(([field, value]) => [field, String(value)])) };
    },
  };
}
