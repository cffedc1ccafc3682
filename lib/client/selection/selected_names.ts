import type { Resource } from "../../shared/api_types.ts";
import { failure, type Result, success } from "../api/result.ts";
import type { Span } from "../listing/rows.ts";
import type { Selection } from "./selection.ts";

/** How many rows are read at a time when only their names are wanted. */
const NAMES_AT_ONCE = 1000;

/**
 * The names of all entries that were selected. Those that were not loaded are read now; when the
 * folder has changed meanwhile it is `folder_changed`, for nobody has seen what would be meant.
 *
 * @param parts the names of the loaded ones, and where the others lay
 * @param read reads rows of the folder, in the order that it had then
 * @param isSame whether an answer is of the folder as it was then
 */
export async function readSelectedNames(
  parts: ReturnType<Selection["parts"]>,
  read: (span: Span) => Promise<Result<Resource>>,
  isSame: (answer: Resource) => boolean,
): Promise<Result<string[]>> {
  const names = [...parts.names];
  for (const span of parts.unloaded) {
    for (let from = span.from; from < span.to; from += NAMES_AT_ONCE) {
      const answer = await read({ from, to: Math.min(span.to, from + NAMES_AT_ONCE) });
      if (!answer.ok) return answer;
      if (!isSame(answer.value)) {
        return failure(0, "folder_changed", "The folder has changed meanwhile");
      }
      names.push(...(answer.value.items ?? []).map(({ name }) => name));
    }
  }
  return success(names);
}
