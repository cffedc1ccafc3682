import { type ComponentChildren, Fragment, h, type JSX } from "preact";

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
