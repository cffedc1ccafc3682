import type { Access } from "../access/access.ts";
import type { EntryPath } from "../access/path.ts";
import { sniffLength } from "./sniff.ts";
import { OpenFile } from "./open_file.ts";
import { largestText } from "./types.ts";
import type { PatientSteps } from "../walk/slices.ts";

/** The first 512 bytes, to tell the type. They must not leave the server: no permission is asked. */
export async function readStart(access: Access, path: EntryPath): Promise<Uint8Array> {
  using file = await access.peek(path).open();
  const buffer = new Uint8Array(sniffLength);
  let filled = 0;
  while (filled < buffer.length) {
    const count = await file.read(buffer.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

/** All the bytes of a file, and the look at the disk that goes with them. */
export interface Content {
  bytes: Uint8Array<ArrayBuffer>;
  info: Deno.FileInfo;
}

/** How many bytes are read at a time. */
const chunk = 1024 * 1024;

/**
 * Reads a file of at most 10 MiB; of one that is larger, nothing.
 *
 * @throws {DomainError} `forbidden` without the permission to download, `not_found`, `not_a_file`
 */
export function* readContent(access: Access, path: EntryPath): PatientSteps<Content> {
  using file = new OpenFile();
  yield file.open(access.read(path));
  return yield* readWhole(file);
}

/** The same of a file that is open already, and stays so. */
export function* readWhole(file: OpenFile): PatientSteps<Content> {
  const { info } = file;
  if (info.size > largestText) return { bytes: new Uint8Array(), info };
  const buffer = new Uint8Array(info.size);
  let filled = 0;
  do {
    yield file.fill(buffer.subarray(filled, filled + chunk));
    filled += file.count;
  } while (file.count > 0 && filled < buffer.length);
  return { bytes: buffer.subarray(0, filled), info };
}
