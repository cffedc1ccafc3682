/** The end of the activity log: one record of about 300 bytes. */
export function auditHeadKey(): Deno.KvKey {
  return ["audit_head"];
}

/** Where the activity log begins after old records were removed: a signed state, about 200 bytes. */
export function auditBeginningKey(): Deno.KvKey {
  return ["audit_beginning"];
}

/** A segment of the activity log by the number of its first record: 60 KiB at most. */
export function auditSegmentKey(first: number): Deno.KvKey {
  return ["audit_segments", first];
}

/** Prefix of the segments, in the order of their records. */
export function auditSegmentsPrefix(): Deno.KvKey {
  return ["audit_segments"];
}

/** A signed state of the log after a record: about 200 bytes, one for each segment but the last. */
export function auditCheckpointKey(seq: number): Deno.KvKey {
  return ["audit_checkpoints", seq];
}

/** Prefix of the checkpoints, in the order of the records. */
export function auditCheckpointsPrefix(): Deno.KvKey {
  return ["audit_checkpoints"];
}

/**
 * The index of what was done to an entry, by the digest of its path, as paths may be longer than
 * keys. The value is the action alone; readers compare the path of the record itself.
 */
export function auditPlaceKey(digest: Uint8Array, seq: number): Deno.KvKey {
  return ["audit_places", digest, seq];
}

/** Prefix of what was done to the entry of a digest. */
export function auditPlacePrefix(digest: Uint8Array): Deno.KvKey {
  return ["audit_places", digest];
}
