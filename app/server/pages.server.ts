import { env } from "./env.server";
import { ServiceError } from "../services/errors.server";

/** What `promise` gives; a service's 404 becomes the site's page for it. */
export async function orNotFound<Result>(promise: Promise<Result>): Promise<Result> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404)
      throw new Response(null, { status: 404 });
    throw error;
  }
}

/**
 * Refuses the pages of kept e-mails where mails are sent, and wherever somebody else than the
 * developer at this machine could read them.
 */
export function requireKeptMails(): void {
  if (env().sendgridApiKey || !env().local) throw new Response(null, { status: 404 });
}
