/** Why pages need a log-in, by the beginning of their paths; the first match counts. */
const NEEDS: [path: RegExp, what: string][] = [
  [/^\/me$/, "to see your reviews"],
  [/^\/me\/account\/delete$/, "to delete your account"],
  [/^\/me\/account$/, "to see your account"],
  [/^\/me\/sessions$/, "to see your devices"],
  // Its token is nothing to read out.
  [/^\/me\/address\//, "to confirm your new address"],
  [/^\/guide(\/mail)?$/, "to manage your tours"],
  [/^\/reviews\/[^/]+\/edit$/, "to edit your review"],
  [/^\/reviews\/[^/]+\/reply$/, "to reply to the review"],
  [/^\/reviews\/[^/]+\/delete$/, "to delete your review"],
  [/^\/tours\/[^/]+#write$/, "to write your review"],
];

export function whyLogIn(to: string): string | null {
  const path = to.replace(/\?[^#]*/, "").replace(/\/(?=$|#)/, "");
  const [, what] = NEEDS.find(([page]) => page.test(path)) ?? [];
  if (what) return `Log in ${what}.`;
  return path.startsWith("/me/") ? `The page ${path} needs you to log in.` : null;
}
