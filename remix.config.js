/** @type {import("@remix-run/dev").AppConfig} */
export default {
  ignoredRouteFiles: ["**/.*"],
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
