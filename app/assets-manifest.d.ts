/** The build knows of the browser's routes, such as which of them have an action. */
declare module "@remix-run/dev/assets-manifest" {
  const manifest: import("@remix-run/node").EntryContext["manifest"];
  export default manifest;
}
