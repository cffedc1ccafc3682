/**
 * For pages and islands, on the server and in the browser.
 *
 * @module
 */
export { asset, assetSrcSet } from "./asset.ts";
export { HttpError } from "./error.ts";
export { Head, type HeadProps } from "./head.ts";
export { Partial, type PartialProps } from "./partial.ts";

/** Whether this code is running in a browser. */
export const IS_BROWSER = typeof document !== "undefined";
