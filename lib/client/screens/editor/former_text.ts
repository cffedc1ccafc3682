import { Text } from "@codemirror/state";
import type { EntryPath } from "../../../shared/path.ts";
import { failure, type Result, success } from "../../../shared/result.ts";
import { failureOfThrow } from "../../base/api/answer.ts";
import type { Api } from "../../base/api/api.ts";
import { readVersion } from "./text_version.ts";

/** Two versions of a text, line by line: how their lines end makes no difference. */
export interface TextPair {
  former: Text;
  now: Text;
}

/**
 * Reads a former version of a text file, and the file as it is now.
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
  if (present.value === null) return failure(404, "not_found", "It is no text any more");
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
