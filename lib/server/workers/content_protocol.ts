import type { Facts } from "../disk/facts.ts";
import type { ChecksumAlgorithm } from "../files/content/checksum.ts";
import { modifiedOf } from "../files/listing/entries.ts";
import { etagOf } from "../files/content/etag.ts";
import type { CallTarget } from "../rpc/protocol.ts";

/** What the reader's Worker can be asked to do with a file. */
export type ReadingTask =
  | { kind: "hash"; target: CallTarget; algorithm: ChecksumAlgorithm }
  | { kind: "describe"; target: CallTarget }
  | { kind: "convert"; target: CallTarget }
  | { kind: "find"; target: CallTarget };

/** Which state of a file an answer is about. */
export interface FileState {
  etag: string;
  /** Milliseconds since the epoch. */
  modified: number;
}

/** The state that a look at a file has found. */
export function stateOf(info: Facts): FileState {
  return { etag: etagOf(info), modified: modifiedOf(info).getTime() };
}
