// Each build for production gets a folder of its own (scripts/lib/build.ts).
const folder = process.env.BUILD_FOLDER ?? "build/development";

/** @type {import("@remix-run/dev").AppConfig} */
export default {
  ignoredRouteFiles: ["**/.*"],
  serverBuildPath: `${folder}/index.js`,
  assetsBuildDirectory: `${folder}/public/build`,
  serverModuleFormat: "esm",
  // These are outside `app/`, the only folder that `remix dev` watches by default.
  watchPaths: ["./models/**/*", "./emails/**/*"],
  // `v3_routeConfig` is missing because the classic compiler cannot read a `routes.ts`.
  // Without `v3_lazyRouteDiscovery` a page knows all routes. With it, a form that is sent without a connection would
  // first ask the server where it leads, and fail there: the page, and what was typed into it, would be gone.
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_singleFetch: true,
    v3_throwAbortReason: true,
  },
};
