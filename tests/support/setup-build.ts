import { buildIfStale } from "../../scripts/lib/build";

/** The built app, for tests that serve it. */
export default buildIfStale;
