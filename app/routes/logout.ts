import { redirect, type ActionFunctionArgs } from "@remix-run/node";
import { withoutPage } from "~/server/pages.server";
import { endSession } from "~/server/session.server";

export const loader = () => redirect("/");

export const action = withoutPage(async ({ request }: ActionFunctionArgs) => {
  return redirect("/", { headers: { "Set-Cookie": await endSession(request) } });
});
