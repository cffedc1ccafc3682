import { brokenArchive, type Bytes, type ByteStream } from "./archived_entry.ts";
import { type ByteReader, joined } from "./byte_reader.ts";

/** Bytes of a chunk that is handed on. */
const gatheredSize = 256 * 1024;

/** Puts small chunks together, as each costs a turn of the decoder. */
export async function* gathered(stream: ByteStream): ByteStream {
  let parts: Bytes[] = [];
  let length = 0;
  for await (const part of stream) {
    parts.push(part);
    length += part.length;
    if (length < gatheredSize) continue;
    yield joined(parts);
    parts = [];
    length = 0;
  }
  if (length > 0) yield joined(parts);
}

/** Hands some bytes on, and returns them. */
export async function* passed(reader: ByteReader, length: number): AsyncGenerator<Bytes, Bytes> {
  const bytes = await reader.need(length);
  if (length > 0) yield bytes;
  return bytes;
}

/** Passes some bytes over. */
export async function skip(reader: ByteReader, length: number): Promise<void> {
  for (let left = length; left > 0;) {
    const part = await reader.some(left);
    if (!part) throw brokenArchive("it breaks off");
    left -= part.length;
  }
}

/** A number, the lowest byte first. */
export function numberAt(bytes: Bytes, at: number, length: number): number {
  let number = 0;
  for (let index = length - 1; index >= 0; index--) {
    number = number * 256 + (bytes[at + index] ?? 0);
  }
  return number;
}
