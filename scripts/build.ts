import { build } from "./lib/build";

/** Builds the app for production. */
export default build;
