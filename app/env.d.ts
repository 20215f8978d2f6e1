/// <reference types="@remix-run/dev" />
/// <reference types="@remix-run/node" />

// Types loaders and actions as `v3_singleFetch` sends them.
declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
}

export {};

// React 18 passes these attributes on, in lower case, and its types do not have them yet.
declare module "react" {
  interface HTMLAttributes<T> {
    popover?: "";
  }
  interface ButtonHTMLAttributes<T> {
    popovertarget?: string;
  }
}
