import { expect, test, vi } from "vitest";
import { sendForm } from "~/ui/browser/no-answer";

/** The answer that a page gets for a form with these fields, when the server's action ends that way. */
async function send(fields: Record<string, string>, serverAction: () => Promise<unknown>) {
  const body = new URLSearchParams(fields);
  const request = new Request("http://localhost/report", { method: "POST", body });
  const answer = await sendForm({ request, serverAction, params: {}, context: {} } as never);
  return answer as unknown;
}

const WORDS = { words: "It is rude.", name: "Ann" };
const routeError = (status: number) => ({ status, statusText: "", internal: false, data: "" });

test.each([
  ["no answer", new TypeError("Failed to fetch"), /^We got no answer\. Your text is still/],
  ["a failure of ours", routeError(500), /^Something went wrong on our side\. Your text is/],
])("with %s a form with words is kept as it was sent", async (_, error, form) => {
  const answer = (await send(WORDS, vi.fn().mockRejectedValue(error))) as Response;
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({
    errors: { fields: {}, form: expect.stringMatching(form) },
    values: WORDS,
    unanswered: true,
  });
});

test.each([
  ["a redirect", WORDS, new Response(null, { status: 302 })],
  ["a page that is not there", WORDS, routeError(404)],
  ["no answer to a form without words", { intent: "delete" }, new TypeError("Failed to fetch")],
])("%s is not its business", async (_, fields, thrown) => {
  const serverAction = vi.fn().mockRejectedValue(thrown);
  await expect(send(fields, serverAction)).rejects.toBe(thrown);
  expect(serverAction).toHaveBeenCalledTimes(1);
});

test("an answer is passed on", async () => {
  const answer = { errors: { fields: {} } };
  expect(await send(WORDS, () => Promise.resolve(answer))).toBe(answer);
});
