import { Collection } from "../../core/kv/collection.ts";

/** The state of the log after a record, signed with the server's key. */
export interface Checkpoint {
  /** The number of that record; 0 before the first. */
  seq: number;
  /** Its hash. */
  hash: string;
  /** In milliseconds since 1970. */
  at: number;
  /** HMAC-SHA256 of the three above, in base64url. */
  signature: string;
}

/**
 * Where the activity log begins after old records were removed: a signed state, about 200 bytes.
 */
export const auditBeginning = new Collection<Checkpoint, []>("audit_beginning");

/** A signed state of the log after a record: about 200 bytes, one for each segment but the last. */
export const auditCheckpoints = new Collection<Checkpoint, [seq: number]>("audit_checkpoints");

const encoder = new TextEncoder();

/**
 * The meaning of a signed state: the log at that time, or its beginning once older records were cut
 * off. One can't stand for the other, so that only the server can cut.
 */
export type CheckpointKind = "state" | "beginning";

/**
 * Signs a state of the log: who can write to the store, but does not have the key of the server,
 * cannot make another.
 */
export async function signCheckpoint(
  key: CryptoKey,
  state: Omit<Checkpoint, "signature">,
  kind: CheckpointKind = "state",
): Promise<Checkpoint> {
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, textOf(state, kind)));
  const text = signature.toBase64({ alphabet: "base64url", omitPadding: true });
  return { seq: state.seq, hash: state.hash, at: state.at, signature: text };
}

/** Whether a state was signed with the key. */
export async function isSigned(
  key: CryptoKey,
  checkpoint: Checkpoint,
  kind: CheckpointKind = "state",
): Promise<boolean> {
  try {
    const signature = Uint8Array.fromBase64(checkpoint.signature, { alphabet: "base64url" });
    return await crypto.subtle.verify("HMAC", key, signature, textOf(checkpoint, kind));
  } catch {
    return false;
  }
}

/** The first line keeps it apart from all other things that the key signs. */
function textOf(
  { seq, hash, at }: Omit<Checkpoint, "signature">,
  kind: CheckpointKind,
): Uint8Array<ArrayBuffer> {
  return encoder.encode(`cubby activity log\n${kind}\n${seq}\n${hash}\n${at}`);
}
