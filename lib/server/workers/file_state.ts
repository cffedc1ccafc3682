import type { Facts } from "../disk/facts.ts";
import { modifiedOf } from "../files/listing/entries.ts";
import { etagOf } from "../files/content/etag.ts";

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
