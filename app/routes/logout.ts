import { redirect, type ActionFunctionArgs } from "@remix-run/node";
import { endSession } from "~/http/session.server";

export const loader = () => redirect("/");

export async function action({ request }: ActionFunctionArgs) {
  return redirect("/", { headers: { "Set-Cookie": await endSession(request) } });
}
