import type { Api } from "../../base/api/api.ts";
import { eachAtOnce } from "../../../shared/at_once.ts";
import type { Conflict, Content } from "../../base/prompts/prompts.ts";
import { isIdentical } from "./conflicts.ts";

/** Larger files are not read only to compare them, in bytes. */
const LARGEST = 100_000_000;

/** The number of files that are compared at once. */
const AT_ONCE = 2;

const ALGORITHM = "sha256";

/** The digest of a file; null when it cannot be told. */
async function digestOf(
  api: Pick<Api, "checksum">,
  content: Content,
  signal: AbortSignal,
): Promise<string | null> {
  if (typeof content === "string") {
    const answer = await api.checksum(content, ALGORITHM, signal);
    return answer.ok && answer.value !== "" ? answer.value.toLowerCase() : null;
  }
  // Browsers have it on secure connections alone.
  const { subtle } = crypto as Partial<Crypto>;
  if (!subtle) return null;
  try {
    const digest = await subtle.digest("SHA-256", await content.arrayBuffer());
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  } catch {
    return null;
  }
}

/**
 * Finds the conflicts between files of the same content: by their checksums, as many tools give all
 * files one time. Only of what can't be compared the time has to do.
 *
 * @param found called with the name of each
 */
export async function findIdentical(
  api: Pick<Api, "checksum">,
  conflicts: readonly Conflict[],
  found: (name: string) => void,
  signal: AbortSignal,
): Promise<void> {
  await eachAtOnce(conflicts, AT_ONCE, async (conflict) => {
    const { name, coming, there, contents } = conflict;
    if (!coming || !there || coming.isDir || there.isDir || coming.size !== there.size) return;
    if (signal.aborted) return;
    const isComparable = contents && coming.size <= LARGEST;
    const [ours, theirs] = isComparable
      ? await Promise.all(contents.map((content) => digestOf(api, content, signal)))
      : [null, null];
    const isSame = ours && theirs ? ours === theirs : isIdentical(conflict);
    if (isSame && !signal.aborted) found(name);
  });
}
