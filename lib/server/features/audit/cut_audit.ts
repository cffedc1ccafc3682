import { commitChange } from "../../core/kv/commit.ts";
import type { Store } from "../../core/kv/store.ts";
import { auditBeginning, auditCheckpoints, type Checkpoint, signCheckpoint } from "./checkpoint.ts";
import { placesOf } from "./server_path.ts";
import { hashOf, placeDigest, recordOf } from "./record.ts";
import {
  auditHead,
  auditPlaces,
  auditSegments,
  type Head,
  readSegments,
  type Segment,
} from "./segments.ts";

/**
 * Removes segments all of whose records are older than the retention. The log then begins with a
 * signed state, so that it can be verified from there on. The last segment stays.
 *
 * @param before in milliseconds since 1970
 * @returns how many records were removed
 */
export async function cutAudit(store: Store, key: CryptoKey, before: number): Promise<number> {
  let removed = 0;
  for await (const { first, lines } of readSegments(store, "oldest")) {
    const newest = recordOf(lines.at(-1) ?? "");
    if (newest === null || Date.parse(newest.time) >= before) return removed;
    if (!await cutSegment(store, key, first, lines)) return removed;
    removed += lines.length;
  }
  return removed;
}

/** @returns false for the last one, to which records are added */
async function cutSegment(
  store: Store,
  key: CryptoKey,
  first: number,
  lines: readonly string[],
): Promise<boolean> {
  const seq = first + lines.length - 1;
  const state = { seq, hash: hashOf(lines.at(-1) ?? ""), at: Date.now() };
  const beginning = await signCheckpoint(key, state, "beginning");
  return await commitChange(store, async () => {
    const [head, segment, former] = await store.getMany<[Head, Segment, Checkpoint]>([
      auditHead.key(),
      auditSegments.key(first),
      auditBeginning.key(),
    ]);
    const isLast = head.value === null || head.value.segment <= first;
    if (isLast || segment.value === null) return { result: !isLast, build: null };
    return {
      result: true,
      build(operation) {
        operation.check(segment, former).delete(segment.key).set(former.key, beginning);
        operation.delete(auditCheckpoints.key(seq));
        for (const line of lines) {
          const record = recordOf(line);
          if (record === null) continue;
          for (const path of placesOf(record)) {
            operation.delete(auditPlaces.key(placeDigest(path), record.seq));
          }
        }
        return operation;
      },
    };
  });
}
