/** Bytes for tests, written as they are read. */
import { Buffer } from "node:buffer";

/** Parts one behind the other; a text stands for the bytes of its characters in Latin-1. */
export function joined(
  ...parts: readonly (string | Uint8Array | readonly number[])[]
): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(
    parts.map((part) => typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part)),
  ));
}
