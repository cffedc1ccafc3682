import type { Access } from "../access/access.ts";
import type { EntryPath } from "../access/path.ts";
import { sniffLength } from "./sniff.ts";
import { largestText } from "./types.ts";

/** The text of a file. */
export interface TextContent {
  text: string;
  /** It was UTF-8: what an editor saves differs only where it was edited. */
  isExact: boolean;
  /** The file that was read. */
  info: Deno.FileInfo;
}

/** The first 512 bytes, to tell the type. They must not leave the server: no permission is asked. */
export async function readStart(access: Access, path: EntryPath): Promise<Uint8Array> {
  using file = await access.peek(path).open();
  return await readBytes(file, sniffLength);
}

/**
 * Reads a text file, at most 10 MiB. What is not UTF-8 is read as UTF-16 if it says so, or else as
 * Windows-1252, in which every byte is a character: it can be shown, but not saved unharmed.
 *
 * @throws {DomainError} `forbidden` without the permission to download, `not_found`
 */
export async function readText(access: Access, path: EntryPath): Promise<TextContent> {
  using file = await access.read(path).open();
  const info = file.statSync();
  const bytes = await readBytes(file, Math.min(info.size, largestText));
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, isExact: true, info };
  } catch {
    return { text: new TextDecoder(legacyEncoding(bytes)).decode(bytes), isExact: false, info };
  }
}

function legacyEncoding([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return "windows-1252";
}

/** Reads up to so many bytes, fewer when the file ends before. */
async function readBytes(file: Deno.FsFile, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const count = await file.read(buffer.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}
