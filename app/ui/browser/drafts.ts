import { type ClientActionFunctionArgs, useRouteLoaderData } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { useHydrated } from "./hydrated";
import { sendForm } from "./no-answer";

// A text that is typed into a review's form is kept in the browser until it is stored on the server.

type DraftFields = Record<string, string>;

interface Draft {
  /** Others who use this browser do not see the draft. */
  userId: string;
  fields: DraftFields;
}

const PREFIX = "draft of ";

/** Some browsers and windows have no storage, or a full one. Forms work without drafts, too. */
function tryStorage<Result>(access: (storage: Storage) => Result): Result | null {
  try {
    return access(localStorage);
  } catch {
    return null;
  }
}

const forgetDraft = (path: string) => tryStorage((storage) => storage.removeItem(PREFIX + path));

/** Removes all drafts from this browser, which somebody else may use next. */
export const forgetDrafts = () =>
  tryStorage((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key);
  });

const findDraft = (path: string) =>
  tryStorage((storage) => JSON.parse(storage.getItem(PREFIX + path) ?? "null") as Draft | null);

const keepDraft = (path: string, draft: Draft) =>
  tryStorage((storage) => storage.setItem(PREFIX + path, JSON.stringify(draft)));

const typedFields = (form: HTMLFormElement): DraftFields =>
  Object.fromEntries(
    [...new FormData(form)].filter(
      (field): field is [string, string] => typeof field[1] === "string",
    ),
  );

const isUntouched = (form: HTMLFormElement) =>
  [...form.querySelectorAll("input")].every(
    (input) => input.checked === input.defaultChecked && input.value === input.defaultValue,
  ) && [...form.querySelectorAll("textarea")].every((field) => field.value === field.defaultValue);

function fillForm(form: HTMLFormElement, fields: DraftFields): void {
  for (const [name, value] of Object.entries(fields)) {
    const field = form.elements.namedItem(name);
    const isHidden = field instanceof HTMLInputElement && field.type === "hidden";
    if (field && "value" in field && !isHidden) field.value = value;
  }
  countAgain(form);
}

const useUserId = () => useRouteLoaderData<{ user: { id: string } | null }>("root")?.user?.id;

const countAgain = (form: HTMLFormElement) =>
  form.querySelector("textarea")?.dispatchEvent(new Event("input", { bubbles: true }));

/**
 * Keeps the input of the form that posts to `path` as a draft, and fills the form with it when it is opened, unless
 * the server has `given` it earlier input. Returns attributes of the form element, and what was `found`.
 */
export function useDraft(path: string, given: boolean) {
  const userId = useUserId();
  const form = useRef<HTMLFormElement>(null);
  const [found, setFound] = useState<DraftFields | null>(null);

  const saveDraft = () => {
    const element = form.current;
    if (!element || !userId) return;
    if (isUntouched(element)) forgetDraft(path);
    else keepDraft(path, { userId, fields: typedFields(element) });
  };

  useEffect(() => {
    const element = form.current;
    const draft = findDraft(path);
    // A visitor who typed before the scripts loaded keeps that text.
    if (element && !isUntouched(element)) return saveDraft();
    if (given || !element || !draft || draft.userId !== userId) return;
    fillForm(element, draft.fields);
    // With its own tag, which comes into the form only now.
    keepDraft(path, draft);
    setFound(draft.fields);
    // Only when it is opened: later the form is the visitor's.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  const discard = () => {
    const element = form.current;
    if (!element) return;
    element.reset();
    countAgain(element);
    setFound(null);
  };

  return { form: { ref: form, onInput: saveDraft }, found, discard };
}

/** Whether the visitor has a draft in this browser for the form that posts to `path`; false until scripts run. */
export function useHasDraft(path: string): boolean {
  const userId = useUserId();
  const isReady = useHydrated();
  return isReady && userId !== undefined && findDraft(path)?.userId === userId;
}

/** `sendForm` for a review: its draft is removed once it is stored. */
export async function sendReview(args: ClientActionFunctionArgs) {
  try {
    return await sendForm(args);
  } catch (answer) {
    // A 307 takes the form along to the log-in page.
    if (answer instanceof Response && answer.status !== 307)
      forgetDraft(new URL(args.request.url).pathname);
    throw answer;
  }
}
