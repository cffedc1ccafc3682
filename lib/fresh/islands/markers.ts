import { type ComponentChildren, Fragment, h, type JSX } from "preact";

/** The subject that a pair of comments delimits. */
export type Marker =
  | { kind: "island"; name: string; index: number; key: string }
  | { kind: "slot"; id: number };

/** Puts the comments around server-rendered markup that the browser finds again. */
export function delimit(marker: Marker, children: ComponentChildren): JSX.Element {
  return h(Fragment, null, comment(textOf(marker)), children, comment(`/frsh:${marker.kind}`));
}

/** Reads the text of an opening comment; null when it is not one of ours. */
export function readMarker(text: string): Marker | null {
  const [prefix, kind, first = "", second = "", key = ""] = text.split(":");
  if (prefix !== "frsh") return null;
  if (kind === "slot") return { kind, id: Number(first) };
  if (kind !== "island") return null;
  return { kind, name: first, index: Number(second), key: decodeURIComponent(key) };
}

/** Whether the text of a comment closes a marker of this kind. */
export function closes(text: string, kind: Marker["kind"]): boolean {
  return text === `/frsh:${kind}`;
}

function textOf(marker: Marker): string {
  if (marker.kind === "slot") return `frsh:slot:${marker.id}`;
  // A key could hold "-->", which would end the comment.
  return `frsh:island:${marker.name}:${marker.index}:${encodeURIComponent(marker.key)}`;
}

function comment(text: string): JSX.Element {
  return h(Fragment, { UNSTABLE_comment: text } as Record<string, unknown>);
}
