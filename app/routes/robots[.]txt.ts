import { robots } from "~/http/machine-files.server";

/** What crawlers may read. */
export const loader = () => robots();
