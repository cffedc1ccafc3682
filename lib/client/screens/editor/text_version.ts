import { Text } from "@codemirror/state";
import type { Resource } from "../../../shared/schemas/entry.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Api } from "../../base/api/api.ts";
import { failure, type Result, success } from "../../../shared/result.ts";
import { failureOfThrow } from "../../base/api/calls.ts";

/** The line ending of a text, as the server reports it. */
type LineEnding = NonNullable<Resource["lineEnding"]>;

/** A text as stored on the server. */
export interface TextVersion {
  text: Text;
  /** The ETag of the version; saving over another version fails. */
  tag?: string;
  encoding: string;
  lineEnding: LineEnding;
  /** Whether it can be saved: the user may, and the encoding is lossless. */
  isWritable: boolean;
}

const SEPARATORS: Record<LineEnding, string> = {
  lf: "\n",
  crlf: "\r\n",
  cr: "\r",
  // A carriage return stays a part of the line, so that mixed endings are preserved.
  mixed: "\n",
};

/**
 * Why a text is edited by one alone: only Unicode takes whatever others type, and lines that all end
 * in the same way; null where others may join.
 */
export function whyAlone(
  { encoding, lineEnding }: Pick<TextVersion, "encoding" | "lineEnding">,
): "encoding" | "lineEnding" | null {
  if (!encoding.startsWith("utf-")) return "encoding";
  return lineEnding === "mixed" ? "lineEnding" : null;
}

/** The text version in a description of a file; null when it has no text. */
export function versionOf(resource: Resource): TextVersion | null {
  const { content, version, encoding = "utf-8", lineEnding = "lf", type } = resource;
  if (content === undefined) return null;
  const text = Text.of(content.split(SEPARATORS[lineEnding]));
  return { text, tag: version, encoding, lineEnding, isWritable: type === "text" };
}

/** The characters of a text, with the line endings of its file. */
export function charactersOf(text: Text, lineEnding: LineEnding): string {
  return text.sliceString(0, text.length, SEPARATORS[lineEnding]);
}

/** The calls of an open text. */
export type TextApi = Pick<Api, "resource" | "saveText" | "makeFile" | "remove">;

/** The code of the failure to read what is no text. */
export const NO_TEXT = "not_supported";

/** Reads the text of a file; null when the user may not have it. */
export async function readVersion(
  api: TextApi,
  path: EntryPath,
): Promise<Result<TextVersion | null>> {
  const answer = await api.resource(path, { offset: 0, limit: 1 });
  if (!answer.ok) return answer;
  const { isDir, type } = answer.value;
  if (isDir) return failure(404, "not_found", "It is a folder now");
  if (type !== "text" && type !== "textImmutable") return failure(415, NO_TEXT, "It is no text");
  return success(versionOf(answer.value));
}

/** Saves a text over the version that it was loaded from; returns the new version's tag. */
export function saveVersion(
  api: TextApi,
  path: EntryPath,
  text: Text,
  { encoding, lineEnding, tag }: TextVersion,
): Promise<Result<string | undefined>> {
  return api.saveText(path, charactersOf(text, lineEnding), { encoding, version: tag });
}

/** Creates a file with a text, encoded like a version; on failure the file is removed. */
export async function createVersion(
  api: TextApi,
  path: EntryPath,
  text: Text,
  like: TextVersion,
): Promise<Result<string | undefined>> {
  const made = await api.makeFile(path);
  if (!made.ok) return made;
  const saved = await saveVersion(api, path, text, { ...like, tag: undefined });
  if (!saved.ok) await api.remove(path);
  return saved;
}

/** Two versions of a text, line by line: how their lines end makes no difference. */
export interface TextPair {
  former: Text;
  now: Text;
}

/**
 * Reads a previous version of a text file, and the file as it is now.
 *
 * @param id of the version in the trash; it is read in the encoding that the file has now
 */
export async function readTextPair(
  api: Api,
  file: EntryPath,
  id: string,
  signal: AbortSignal,
): Promise<Result<TextPair>> {
  const present = await readVersion(api, file);
  if (!present.ok) return present;
  if (present.value === null) return failure(415, NO_TEXT, "It is no text");
  const { text, encoding } = present.value;
  const answer = await api.calls.call("GET /api/trash/{id}", { params: { id }, signal });
  if (!answer.ok) return answer;
  try {
    const bytes = await answer.value.arrayBuffer();
    const former = new TextDecoder(encoding.replace(/-bom$/, "")).decode(bytes);
    return success({ former: linesOf(former), now: linesOf(text.toString()) });
  } catch (error) {
    return failureOfThrow(error);
  }
}

function linesOf(text: string): Text {
  return Text.of(text.split(/\r\n?|\n/));
}
