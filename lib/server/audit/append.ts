import { commitChange } from "../kv/commit.ts";
import {
  auditCheckpointKey,
  auditHeadKey,
  auditPlaceKey,
  auditSegmentKey,
} from "../kv/keys/audit.ts";
import type { Store } from "../kv/store.ts";
import { type Checkpoint, signCheckpoint } from "./checkpoint.ts";
import { placesOf } from "./server_path.ts";
import { bytesOf, hashOf, lineOf, noHash, placeDigest, type TimedActivity } from "./record.ts";
import type { Head, Segment } from "./segments.ts";

/**
 * When a segment is full, in bytes. It is written again for each batch, so that a larger one would
 * make the log slower, and a smaller one its checkpoints more than its records.
 */
const fullSegment = 16 * 1024;

/** The most bytes and records in one commit: a commit of the store has 800 KiB and 1,000 writes. */
const maxBytes = 256 * 1024;
const maxRecords = 200;

/** The dependencies of an append. */
export interface AppendOptions {
  store: Store;
  /** Signs checkpoints. */
  key: CryptoKey;
}

/** The result: the number of activities written, and the checkpoints at the ends of segments. */
export interface Appended {
  count: number;
  checkpoints: Checkpoint[];
}

/**
 * Writes activities at the end of the log, as many as one commit takes. Threads and servers on one
 * store append in turn: who lost the race reads the end again.
 */
export async function append(
  { store, key }: AppendOptions,
  activities: readonly TimedActivity[],
): Promise<Appended> {
  return await commitChange(store, async () => {
    const head = await store.get<Head>(auditHeadKey());
    const open = head.value === null
      ? null
      : await store.get<Segment>(auditSegmentKey(head.value.segment));
    const plan = planOf(head.value, open?.value?.lines ?? new Uint8Array(), activities);
    const at = Date.now();
    const checkpoints: Checkpoint[] = [];
    for (const end of plan.ends) checkpoints.push(await signCheckpoint(key, { ...end, at }));
    const { seq, hash, segment, bytes } = plan;
    const next: Head = { ...await signCheckpoint(key, { seq, hash, at }), segment, bytes };
    return {
      result: { count: plan.count, checkpoints },
      build(operation) {
        operation.check(head).set(head.key, next);
        for (const [first, lines] of plan.segments) {
          operation.set(auditSegmentKey(first), { lines } satisfies Segment);
        }
        for (const checkpoint of checkpoints) {
          operation.set(auditCheckpointKey(checkpoint.seq), checkpoint);
        }
        for (const { path, number, action } of plan.places) {
          operation.set(auditPlaceKey(placeDigest(path), number), action);
        }
        return operation;
      },
    };
  });
}

interface Plan extends Pick<Head, "seq" | "hash" | "segment" | "bytes"> {
  count: number;
  segments: Map<number, Uint8Array>;
  /** The last records of segments that are full. */
  ends: Pick<Checkpoint, "seq" | "hash">[];
  places: { path: string; number: number; action: string }[];
}

function planOf(
  head: Head | null,
  present: Uint8Array,
  activities: readonly TimedActivity[],
): Plan {
  let { seq, hash, segment } = head ?? { seq: 0, hash: noHash, segment: 1 };
  let lines = present;
  let written = 0;
  let count = 0;
  const segments = new Map<number, Uint8Array>();
  const [ends, places]: [Plan["ends"], Plan["places"]] = [[], []];
  for (const activity of activities.slice(0, maxRecords)) {
    const line = lineOf(activity, seq + 1, hash);
    const bytes = bytesOf(`${line}\n`);
    if (count > 0 && written + bytes.length > maxBytes) break;
    if (lines.length > 0 && lines.length + bytes.length > fullSegment) {
      ends.push({ seq, hash });
      segment = seq + 1;
      lines = new Uint8Array();
    }
    const joined = new Uint8Array(lines.length + bytes.length);
    joined.set(lines);
    joined.set(bytes, lines.length);
    lines = joined;
    segments.set(segment, lines);
    written += bytes.length;
    seq++;
    hash = hashOf(line);
    count++;
    for (const path of placesOf(activity)) {
      places.push({ path, number: seq, action: activity.action });
    }
  }
  return { seq, hash, segment, bytes: lines.length, count, segments, ends, places };
}
