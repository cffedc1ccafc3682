import type { AuditAction } from "../../../shared/schemas/choices/audit_choices.ts";
import { Collection } from "../../core/kv/collection.ts";
import type { Store } from "../../core/kv/store.ts";
import type { Checkpoint } from "./checkpoint.ts";

/** Some records that lie together in the store. The number of the first is in the key. */
export interface Segment {
  /** The records, each with a line break behind it, in UTF-8. */
  lines: Uint8Array;
}

/** The end of the log: the newest checkpoint, and where the next record goes. */
export interface Head extends Checkpoint {
  /** The number of the first record of the last segment. */
  segment: number;
  /** The bytes in that. */
  bytes: number;
}

/** A segment of the activity log by the number of its first record: 60 KiB at most. */
export const auditSegments = new Collection<Segment, [first: number]>("audit_segments");

/** The end of the activity log: one record of about 300 bytes. */
export const auditHead = new Collection<Head, []>("audit_head");

/**
 * The index of what was done to an entry, by the digest of its path, as paths may be longer than
 * keys. The value is the action alone; readers compare the path of the record itself.
 */
export const auditPlaces = new Collection<AuditAction, [digest: Uint8Array, seq: number]>(
  "audit_places",
);

const decoder = new TextDecoder();

/** Segments that are read at once. */
const batchSize = 16;

/** A segment with the numbers of its records. */
export interface ReadSegment {
  first: number;
  lines: string[];
}

/** The lines of a segment. */
export function linesOf({ lines }: Segment): string[] {
  const texts = decoder.decode(lines).split("\n");
  if (texts.at(-1) === "") texts.pop();
  return texts;
}

/**
 * Reads segments, a few at a time, so that a log of any length takes little memory.
 *
 * @param order from the oldest or the newest
 * @param bound the first number of a record that a segment may begin with, or must begin before
 * @param size how many are read at once
 */
export async function* readSegments(
  store: Pick<Store, "read">,
  order: "oldest" | "newest",
  bound?: number,
  size = batchSize,
): AsyncGenerator<ReadSegment> {
  const prefix = auditSegments.prefix();
  let edge = bound;
  while (true) {
    const isNewest = order === "newest";
    const at = edge === undefined ? null : [...prefix, edge];
    const selector = at === null
      ? { prefix }
      : isNewest
      ? { prefix, end: at }
      : { prefix, start: at };
    const options = { limit: size, reverse: isNewest };
    const entries = await store.read((kv) =>
      Array.fromAsync(kv.list<Segment>(selector as Deno.KvListSelector, options))
    );
    for (const { key, value } of entries) {
      yield { first: Number(key.at(-1)), lines: linesOf(value) };
    }
    const last = entries.at(-1);
    if (entries.length < size || !last) return;
    const number = Number(last.key.at(-1));
    edge = isNewest ? number : number + 1;
  }
}
