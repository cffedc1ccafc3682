import type { Facts } from "../disk/facts.ts";
import { modifiedOf } from "../files/listing/entries.ts";
import { etagOf } from "../files/content/etag.ts";

/** The state of a file that an answer is based on. */
export interface FileState {
  etag: string;
  /** Milliseconds since the epoch. */
  modified: number;
}

/** The state in a file's facts. */
export function stateOf(info: Facts): FileState {
  return { etag: etagOf(info), modified: modifiedOf(info).getTime() };
}
