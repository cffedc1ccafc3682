import assert from "node:assert/strict";
import type { Api } from "../../../../../lib/client/base/api/api.ts";
import type { Conflict, EntryFacts } from "../../../../../lib/client/base/prompts/prompts.ts";
import { findIdentical } from "../../../../../lib/client/files_page/actions/same_content.ts";
import { type EntryPath, parsePath } from "../../../../../lib/shared/path.ts";
import { failure, success } from "../../../../../lib/shared/result.ts";

/** SHA-256 of "same". */
const SAME = "0967115f2813a3541eaef77de9d9d5773f1c0c04314b0bbfe4ff3b3b1c55b5d5";

const at = (text: string) => parsePath(text).path;
const facts = (size: number, hour = 12): EntryFacts => ({
  isDir: false,
  size,
  modified: `2026-10-05T${hour}:00:00Z`,
});

/** A conflict of a local file of this text with one of as many bytes, changed an hour later. */
function conflict(name: string, text: string): Conflict {
  const contents = [new File([text], name), at(`/to/${name}`)] as const;
  return { name, coming: facts(text.length), there: facts(text.length, 13), contents };
}

function apiWith(checksum: (path: EntryPath) => string | null) {
  const asked: EntryPath[] = [];
  const api: Pick<Api, "checksum"> = {
    checksum(path) {
      asked.push(path);
      const digest = checksum(path);
      return Promise.resolve(digest === null ? failure(404, "not_found", "gone") : success(digest));
    },
  };
  return { api, asked };
}

async function identicalOf(
  api: Pick<Api, "checksum">,
  conflicts: Conflict[],
  signal = new AbortController().signal,
): Promise<string[]> {
  const found: string[] = [];
  await findIdentical(api, conflicts, (name) => found.push(name), signal);
  return found.sort();
}

Deno.test("findIdentical() compares files of one size by their checksums", async () => {
  const { api, asked } = apiWith((path) =>
    path === "/to/gone" ? null : path === "/to/other" ? "0".repeat(64) : SAME.toUpperCase()
  );
  const conflicts = ["a", "b", "other", "gone"].map((name) => conflict(name, "same"));
  assert.deepEqual(await identicalOf(api, conflicts), ["a", "b"]);
  assert.equal(asked.length, 4);
});

Deno.test("findIdentical() takes no time for a proof where it can compare", async () => {
  const { api } = apiWith(() => "0".repeat(64));
  const sameTime = { ...conflict("a", "same"), there: facts(4) };
  assert.deepEqual(await identicalOf(api, [sameTime]), []);
  const unreadable = { ...sameTime, contents: undefined };
  assert.deepEqual(await identicalOf(api, [unreadable]), ["a"]);
});

Deno.test("findIdentical() reads nothing of other sizes, and of what is too large", async () => {
  const { api, asked } = apiWith(() => SAME);
  const otherSize = { ...conflict("b", "same"), there: facts(5) };
  const unknown = { ...conflict("c", "same"), there: undefined };
  const huge = { ...conflict("d", "same"), coming: facts(1e9), there: facts(1e9, 13) };
  const same = { ...huge, name: "e", there: facts(1e9) };
  assert.deepEqual(await identicalOf(api, [otherSize, unknown, huge, same]), ["e"]);
  assert.deepEqual(asked, []);
});

Deno.test("findIdentical() tells nothing once the prompt is closed", async () => {
  const closing = new AbortController();
  const { api } = apiWith(() => {
    closing.abort();
    return SAME;
  });
  assert.deepEqual(await identicalOf(api, [conflict("a", "same")], closing.signal), []);
});
