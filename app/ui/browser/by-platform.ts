import { useRouteLoaderData } from "@remix-run/react";

/** Whether the platform logs users in, so that nobody has a password here (app/root.tsx). */
export const useByPlatform = () =>
  useRouteLoaderData<{ byPlatform?: true }>("root")?.byPlatform ?? false;
