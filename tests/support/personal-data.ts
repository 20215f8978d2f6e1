import { exportData } from "~/services/accounts/personal-data.server";
import type { CurrentUser } from "~/services/accounts/users.server";

/** The file that the user would download. */
export async function exportOf(user: CurrentUser): Promise<Record<string, unknown>> {
  let text = "";
  for await (const piece of await exportData(user)) text += piece;
  return JSON.parse(text) as Record<string, unknown>;
}
