import { z } from "zod";
import { origin } from "~/config/address-settings.server";

/** `EMBED_ORIGINS`: the sites that may show reviews in a frame. */
export const embedOrigins = z
  .string()
  .transform((value) => value.split(/[\s,]+/).filter(Boolean))
  .pipe(z.array(origin));
