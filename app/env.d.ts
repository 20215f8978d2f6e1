/// <reference types="@remix-run/dev" />
/// <reference types="@remix-run/node" />

// Types loaders and actions as `v3_singleFetch` sends them.
declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
}

export {};
