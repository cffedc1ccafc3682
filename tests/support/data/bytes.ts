/** Bytes for tests, written as they are read. */
import { Buffer } from "node:buffer";
import { decodeAs } from "../../../lib/server/files/text/code_page.ts";
import { encoderOf } from "../../../lib/server/files/text/encode.ts";

/** Parts one behind the other; a text stands for the bytes of its characters in Latin-1. */
export function joined(
  ...parts: readonly (string | Uint8Array | readonly number[])[]
): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(
    parts.map((part) => typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part)),
  ));
}

/** A text in an encoding, also in a code page of DOS, which the server never writes. */
export function encoded(encoding: string, text: string): Uint8Array {
  if (!encoding.startsWith("cp")) return encoderOf(encoding, "")(text);
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const page = bytes.map((byte) => decodeAs(encoding, Uint8Array.of(byte)));
  return Uint8Array.from(text, (letter) => page.indexOf(letter));
}
