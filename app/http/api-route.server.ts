import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { ServiceError } from "../infra/errors.server";
import { log } from "../infra/log.server";
import type { CurrentUser } from "../services/accounts/users.server";
import { currentUser } from "./current-user.server";
import { withDeadline } from "./deadline.server";
import { refusalTexts } from "./refusals.server";
import { retryAfterOf } from "./retry-after.server";

export interface ApiRequest {
  request: Request;
  url: URL;
  params: Record<string, string | undefined>;
  /** The current user, looked up when first asked for. */
  user: () => Promise<CurrentUser | null>;
  /** The parsed body; `undefined` when there is none or it is not JSON. */
  body: () => Promise<unknown>;
}

interface Operation {
  /** Returns the response; throws `ServiceError` for a refusal. */
  handle: (request: ApiRequest) => Promise<Response>;
  /** The text of a 500 (docs/rules.md, Errors). */
  failure: string;
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** A JSON response, of a value or of JSON that is made already. No cache keeps it unless `init` says otherwise. */
export function json(body: unknown, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  headers.set("Content-Type", "application/json; charset=utf-8");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  const isJson = typeof body === "string" || body instanceof Uint8Array;
  return new Response((isJson ? body : JSON.stringify(body)) as BodyInit, { ...init, headers });
}

/**
 * The `loader` and `action` of a resource route that has these operations; 405 for other methods. The
 * guard has turned HEAD into GET.
 */
export function apiRoute(operations: Partial<Record<Method, Operation>>) {
  const allow = Object.keys(operations)
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ");

  const answer = async ({ request, params }: LoaderFunctionArgs | ActionFunctionArgs) => {
    const { method } = request;
    const operation = Object.hasOwn(operations, method) && operations[method as Method];
    if (!operation)
      return json({ error: refusalTexts[405] }, { status: 405, headers: { Allow: allow } });
    try {
      const answered = operation.handle({
        request,
        url: new URL(request.url),
        params,
        user: () => currentUser(request),
        body: () => readJson(request),
      });
      return await withDeadline(answered);
    } catch (error) {
      if (error instanceof ServiceError)
        return json(
          { error: error.message },
          { status: error.status, headers: retryAfterOf(error) },
        );
      log.error({ err: error }, operation.failure);
      return json({ error: operation.failure }, { status: 500 });
    }
  };
  return { loader: answer, action: answer };
}

async function readJson(request: Request): Promise<unknown> {
  const text = await request.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
