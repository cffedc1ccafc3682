/**
 * For pages and islands, on the server and in the browser.
 *
 * @module
 */
import { type ComponentChildren, Fragment, h, type JSX } from "preact";

export { HttpError } from "../error.ts";
export { Head, type HeadProps } from "./head.ts";
export { asset, assetSrcSet } from "./shared_internal.ts";

/** Whether this code is running in a browser. */
export const IS_BROWSER = typeof document !== "undefined";

/** The props of {@linkcode Partial}. */
export interface PartialProps {
  /** The content. */
  children?: ComponentChildren;
  /** A name that is unique on the page. */
  name: string;
  /** The way in which new content would be applied. */
  mode?: "replace" | "prepend" | "append";
}

/** Renders its children. Replacing parts of a page without a full load is not provided here. */
export function Partial(props: PartialProps): JSX.Element {
  return h(Fragment, null, props.children);
}
