import type { UserDocument } from "#models/user";
import { env } from "~/config/env.server";

/** The password of every demo log-in, which anybody can read here. */
export const DEMO_PASSWORD = "lanterns on the quay";

export const DEMO_PASSWORD_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$4Ycdy6IJ1C86nVvbZc1K2A$cpB5n96GXdKPf5yMS+svMd6IAjBuxMf7kMh+O6MH+/Q";

/** The demo password opens nothing on a site that others than this machine reach. */
export const isClosedPassword = (password: string) =>
  !env().local && password.normalize("NFKC") === DEMO_PASSWORD;

/** Demo users are disabled on a public site, together with their sessions and tokens from before it was public. */
export const isClosedUser = ({ passwordHash }: Pick<UserDocument, "passwordHash">) =>
  !env().local && passwordHash === DEMO_PASSWORD_HASH;
