// Builds for production are made beside each other (scripts/lib/build.ts).
const folder = process.env.BUILD_FOLDER ?? "build/development";

/** @type {import("@remix-run/dev").AppConfig} */
export default {
  ignoredRouteFiles: ["**/.*"],
  serverBuildPath: `${folder}/index.js`,
  assetsBuildDirectory: `${folder}/public/build`,
  serverModuleFormat: "esm",
  // These stand outside `app/`, which is all that `remix dev` watches by itself.
  watchPaths: ["./models/**/*", "./emails/**/*"],
  // `v3_routeConfig` is missing because the classic compiler cannot read a `routes.ts`.
  future: {
    v3_fetcherPersist: true,
    v3_lazyRouteDiscovery: true,
    v3_relativeSplatPath: true,
    v3_singleFetch: true,
    v3_throwAbortReason: true,
  },
};
