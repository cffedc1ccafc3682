import { type ComponentChildren, createContext, h, type JSX } from "preact";

/** The place where an element is rendered, with regard to the head of the document. */
export type HeadPlace = "elsewhere" | "document head" | "Head";

/** Tells elements such as `<title>` whether they stand inside {@linkcode Head}. */
export const HeadContext = createContext<HeadPlace>("elsewhere");

/** The props of {@linkcode Head}. */
export interface HeadProps {
  /** Elements for the head of the document. */
  children?: ComponentChildren;
}

/** Puts its children into the head of the document. Of two with the same key the last one wins. */
export function Head(props: HeadProps): JSX.Element {
  return h(HeadContext.Provider, { value: "Head", children: props.children });
}

/** The elements that {@linkcode Head} can move. */
export const HEAD_ELEMENTS: readonly string[] = [
  "title",
  "meta",
  "link",
  "script",
  "style",
  "base",
  "noscript",
  "template",
];
