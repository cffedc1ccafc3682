import type { FileHandle } from "../../core/access/file_handle.ts";
import type { Facts } from "../../core/disk/facts.ts";
import { FileReading } from "../../files/content/file_reading.ts";
import { isAmbiguous, sniffLength, typeOfBytes, typeOfName } from "../../files/content/types.ts";
import { formatOfSample, readUnicode } from "../../files/text/read_text.ts";
import { decoderOf } from "../../../shared/text_decoder.ts";
import { modifiedOf } from "../../files/listing/entries.ts";

/** The facts that identify a version of a file. */
export interface Version {
  ino: number;
  /** Bytes. */
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
  /** The last change of content, name or rights, likewise: no call can set it. */
  changed: number;
}

/**
 * Gives the text of a PDF file, of which it reads no more than it is allowed to; null without one.
 */
export type PdfReader = (file: FileHandle, maxCharacters: number) => Promise<string | null>;

/** The limits of reading files. */
export interface ReadingOptions {
  /** Bytes of a file that are read at most; what follows is not found. */
  maxBytes: number;
  /** Null where no program reads PDF files. */
  readPdf: PdfReader | null;
}

/** The version that facts tell of. */
export function versionOf(facts: Facts): Version {
  const modified = modifiedOf(facts).getTime();
  return {
    ino: facts.ino ?? 0,
    size: facts.size,
    modified,
    changed: facts.ctime?.getTime() ?? modified,
  };
}

/** Whether two looks saw the same version. */
export function isSameVersion(a: Version, b: Version): boolean {
  return a.ino === b.ino && a.size === b.size && a.modified === b.modified &&
    a.changed === b.changed;
}

/** Whether a file of a name may have a text, as far as the name tells. */
export function mayHaveText(name: string, readsPdf: boolean): boolean {
  const type = typeOfName(name);
  return type === "text" || type === undefined || isAmbiguous(name) || (readsPdf && type === "pdf");
}

/**
 * Reads the text of a file, or of its beginning.
 *
 * @returns null for a file without text
 * @throws {DomainError} as `FileHandle.openSync()`
 */
export async function readText(
  handle: FileHandle,
  { maxBytes, readPdf }: ReadingOptions,
): Promise<{ version: Version; text: string | null }> {
  using file = new FileReading(handle);
  // Taken before the first byte: a change meanwhile makes the text count as outdated.
  const version = versionOf(file.info);
  const bytes = new Uint8Array(Math.min(version.size, maxBytes));
  const start = await fill(file, bytes.subarray(0, Math.min(bytes.length, sniffLength)), 0);
  const named = typeOfName(handle.name);
  const type = named === undefined || isAmbiguous(handle.name)
    ? typeOfBytes(bytes.subarray(0, start))
    : named;
  if (type === "pdf") return { version, text: await readPdf?.(handle, maxBytes) ?? null };
  if (type !== "text") return { version, text: null };
  const filled = await fill(file, bytes, start);
  const isWhole = filled === version.size;
  return { version, text: await decode(bytes.subarray(0, filled), isWhole) };
}

async function fill(
  file: FileReading,
  bytes: Uint8Array<ArrayBuffer>,
  from: number,
): Promise<number> {
  let filled = from;
  do {
    await file.fill(bytes.subarray(filled));
    filled += file.count;
  } while (file.count > 0 && filled < bytes.length);
  return filled;
}

/** Decodes text in any encoding; null for binary bytes. */
async function decode(bytes: Uint8Array, isWhole: boolean): Promise<string | null> {
  const whole = isWhole ? bytes : withoutCutCharacter(bytes);
  const text = await decodeAny(whole);
  return text?.replace(/\0+/g, " ") ?? null;
}

async function decodeAny(bytes: Uint8Array): Promise<string | null> {
  const read = readUnicode(bytes);
  if (read !== "legacy") return read?.text ?? null;
  const format = await formatOfSample(bytes);
  return format && decoderOf(format.encoding).decode(bytes);
}

/** Drops a character of UTF-8 or half of UTF-16 that the end of a part has cut. */
function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  const even = bytes.subarray(0, bytes.length - bytes.length % 4);
  for (let back = 1; back <= 4 && back <= even.length; back++) {
    const byte = even[even.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > back ? even.subarray(0, even.length - back) : even;
  }
  return even;
}
