import { Text } from "@codemirror/state";
import type { Resource } from "../../shared/api_types.ts";

/** How the lines of a text end, as the server tells it. */
export type LineEnding = NonNullable<Resource["lineEnding"]>;

/** A text as it lies on the server. */
export interface TextVersion {
  text: Text;
  /** Tells this version from others; saving over another one fails. */
  tag?: string;
  encoding: string;
  lineEnding: LineEnding;
  /** It can be saved: the user may, and the encoding loses nothing. */
  isWritable: boolean;
}

const SEPARATORS: Record<LineEnding, string> = {
  lf: "\n",
  crlf: "\r\n",
  cr: "\r",
  // What stands before the line feed stays a part of the line, so that nothing is evened out.
  mixed: "\n",
};

/** What a description says of the text; null when it has none. */
export function versionOf(resource: Resource): TextVersion | null {
  const { content, version, encoding = "utf-8", lineEnding = "lf", type } = resource;
  if (content === undefined) return null;
  const text = Text.of(content.split(SEPARATORS[lineEnding]));
  return { text, tag: version, encoding, lineEnding, isWritable: type === "text" };
}

/** The characters of a text, with the line ends of its file. */
export function charactersOf(text: Text, lineEnding: LineEnding): string {
  return text.sliceString(0, text.length, SEPARATORS[lineEnding]);
}
