import type { Access } from "../../access/access.ts";
import { asRefusal } from "../../access/os_errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Facts } from "../../disk/facts.ts";
import { FileReading } from "./file_reading.ts";
import { sniffLength } from "./sniff.ts";
import { largestText } from "./types.ts";
import type { PatientSteps } from "../../rpc/slices.ts";

/** The first 512 bytes, to tell the type. They must not leave the server: no permission is asked. */
export function readStart(access: Access, path: EntryPath): Uint8Array {
  using file = access.peek(path).openSync();
  const buffer = new Uint8Array(sniffLength);
  try {
    return buffer.subarray(0, file.read(buffer, 0));
  } catch (error) {
    throw asRefusal(error, `Cannot look at "${path}"`);
  }
}

/** All the bytes of a file, and the look at the disk that goes with them. */
export interface Content {
  bytes: Uint8Array<ArrayBuffer>;
  info: Facts;
}

/** How many bytes are read at a time. */
const chunk = 1024 * 1024;

/**
 * Reads a file of at most 10 MiB; of one that is larger, nothing.
 *
 * @throws {DomainError} `forbidden` without the permission to download, `not_found`, `not_a_file`
 */
export function* readContent(access: Access, path: EntryPath): PatientSteps<Content> {
  using file = new FileReading(access.read(path));
  return yield* readWhole(file);
}

/** The same of a file that is open already, and stays so. */
export function* readWhole(file: FileReading): PatientSteps<Content> {
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
