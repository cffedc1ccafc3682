import { crc32 } from "node:zlib";
import { remote } from "../../../../core/concurrency/remote.ts";
import { DomainError } from "../../../../../shared/errors.ts";
import type { ArchiveFile } from "../archive_file.ts";
import {
  type ArchivedEntry,
  archiveTooLargeError,
  brokenArchiveError,
  type Bytes,
  encryptedError,
} from "../archived_entry.ts";
import { checkReadable } from "../read_zip.ts";
import type { Library, RunOrder } from "./seven_zip_worker.ts";

/** The largest archive that is read by the library, in bytes: it holds it in memory. */
const maxArchiveBytes = 256 * 1024 * 1024;

/** The most that comes out of one, in bytes: it comes at once. */
const maxContentBytes = 256 * 1024 * 1024;

/** The longest list of entries, in bytes. */
const maxListBytes = 64 * 1024 * 1024;

/** The largest dictionary that an entry may ask for, in bytes. */
const maxDictionaryBytes = 128 * 1024 * 1024;

/** How long the library may work on an archive, in milliseconds. */
const timeoutMs = 120_000;

/** One archive at a time is read by the library in this thread, so that its memory stays bounded. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Reads a 7z or a RAR by 7-Zip in WebAssembly, in a Worker that lives as long as one archive. So a
 * fault in it reaches neither the disk nor other archives.
 *
 * @param isWanted tells the entries whose content will be read; none is decompressed without one
 * @throws {DomainError} `broken_archive`, `encrypted_archive`, `archive_too_large`
 */
export async function* readByLibrary(
  file: ArchiveFile,
  isWanted: (path: string) => boolean,
): AsyncGenerator<ArchivedEntry, void> {
  if (file.size > maxArchiveBytes) throw tooLargeError(maxArchiveBytes);
  const archive = await file.read(file.size, 0);
  const listed = parseList(await inTurn("list", { archive, maxBytes: maxListBytes }));
  const wanted = listed.filter(({ path, kind }) => kind === "file" && isWanted(path));
  for (const entry of wanted) checkReadable(entry);
  const contents = wanted.length > 0 ? await unpacked(archive, listed) : null;
  for (const entry of listed) {
    const content = async function* () {
      const bytes = contents?.get(entry);
      if (bytes) yield bytes;
    };
    yield { ...entry, content };
  }
}

/** The content of each file. */
async function unpacked(
  archive: Bytes,
  listed: readonly ListedEntry[],
): Promise<Map<ListedEntry, Bytes>> {
  const locked = listed.find(({ isEncrypted }) => isEncrypted);
  if (locked) checkReadable(locked);
  if (listed.some(({ method }) => dictionaryOf(method) > maxDictionaryBytes)) {
    throw archiveTooLargeError("it requires too much memory");
  }
  const size = listed.reduce((sum, entry) => sum + entry.printed, 0);
  if (size > maxContentBytes) throw tooLargeError(maxContentBytes);
  const printed = await inTurn("unpack", { archive, maxBytes: size });
  const contents = new Map<ListedEntry, Bytes>();
  let at = 0;
  for (const entry of listed) {
    const bytes = printed.subarray(at, at + entry.printed);
    at += entry.printed;
    const isWhole = bytes.length === entry.printed &&
      (entry.sum === null || crc32(bytes) === entry.sum);
    if (!isWhole) throw brokenArchiveError(`the checksum of "${entry.path}" is wrong`);
    contents.set(entry, bytes);
  }
  return contents;
}

/** Runs the library once those before it are done. */
function inTurn(what: keyof Library, order: RunOrder): Promise<Bytes> {
  const turn = last.then(() => run(what, order));
  last = turn.catch(() => {});
  return turn;
}

async function run(what: keyof Library, order: RunOrder): Promise<Bytes> {
  const worker = remote<Library>({
    script: new URL("./seven_zip_worker.ts", import.meta.url),
    name: "7-Zip",
    diedOf: () => brokenArchiveError("it cannot be read"),
  });
  const error = archiveTooLargeError(`it takes longer than ${timeoutMs / 1000} seconds`);
  try {
    const { code, printed } = await worker[what](order, { timeout: { ms: timeoutMs, error } });
    if (code === null || code > 1) {
      const isLocked = hasEncryptedNames(order.archive);
      throw isLocked ? encryptedError("its list of entries") : brokenArchiveError("it is damaged");
    }
    return printed;
  } finally {
    worker.close();
  }
}

/** Where the header of a 7z begins to count its places, in bytes. */
const headerBytes = 32;

/** How a 7z writes that its header is packed, and that AES-256 packs it. */
const packedHeader = 0x17;
const aes = [0x06, 0xf1, 0x07, 0x01];

/** Whether even the names in a 7z or a RAR need a password. */
export function hasEncryptedNames(archive: Bytes): boolean {
  const start = String.fromCharCode(...archive.subarray(0, 8));
  if (start === "Rar!\x1a\x07\x01\0") {
    // RAR 5: the first block, behind its checksum and size, is that of the encryption.
    const type = archive.findIndex((byte, index) => index >= 12 && byte < 0x80) + 1;
    return archive[type] === 4;
  }
  if (start.startsWith("Rar!\x1a\x07\0")) return ((archive[10] ?? 0) & 0x80) !== 0;
  if (!start.startsWith("7z\xbc\xaf\x27\x1c") || archive.length < headerBytes) return false;
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const at = headerBytes + Number(view.getBigUint64(12, true));
  const header = archive.subarray(at, at + Math.min(4096, Number(view.getBigUint64(20, true))));
  return header[0] === packedHeader &&
    header.some((_, index) => aes.every((byte, offset) => header[index + offset] === byte));
}

function tooLargeError(max: number): DomainError {
  return archiveTooLargeError(`archives of this kind are read up to ${max / 1024 / 1024} MiB`);
}

/** An entry as 7-Zip lists it. */
interface ListedEntry extends Omit<ArchivedEntry, "content"> {
  /** How many bytes 7-Zip prints for it. */
  printed: number;
  /** The CRC-32 of its content; null where the archive has none. */
  sum: number | null;
  /** How it is compressed. */
  method: string;
}

/** Before the entries. */
const beginning = "\n----------\n";

/** Reads the list that `7z l -slt` prints: for each entry lines of the form "Key = value". */
export function parseList(printed: Bytes): ListedEntry[] {
  const text = new TextDecoder().decode(printed).replaceAll("\r", "");
  const start = text.indexOf(beginning);
  if (start < 0) return [];
  const blocks = text.slice(start + beginning.length).split("\n\n");
  return blocks.flatMap((block) => entryOf(factsIn(block)));
}

function factsIn(block: string): Map<string, string> {
  const facts = new Map<string, string>();
  for (const line of block.split("\n")) {
    const at = line.indexOf(" =");
    // The first one counts: 7-Zip writes the path before all else.
    const key = line.slice(0, at);
    if (at > 0 && !facts.has(key)) facts.set(key, line.slice(at + 3));
  }
  return facts;
}

function entryOf(facts: ReadonlyMap<string, string>): ListedEntry[] {
  const path = facts.get("Path");
  if (!path) return [];
  const attributes = facts.get("Attributes") ?? "";
  const isFolder = facts.get("Folder") === "+" || /^D/.test(attributes);
  const isLink = Boolean(facts.get("Symbolic Link") || facts.get("Hard Link")) ||
    / l[r-][w-]/.test(attributes);
  const size = isFolder ? 0 : Number(facts.get("Size") || 0);
  const sum = facts.get("CRC");
  const modified = Date.parse(`${facts.get("Modified")?.slice(0, 23).replace(" ", "T")}Z`);
  return [{
    path,
    kind: isFolder ? "folder" : isLink ? "link" : "file",
    size: isLink ? 0 : size,
    modified: Number.isNaN(modified) ? null : modified,
    mode: modeIn(attributes),
    isEncrypted: facts.get("Encrypted") === "+",
    place: null,
    printed: size,
    sum: sum ? parseInt(sum, 16) : null,
    method: facts.get("Method") ?? "",
  }];
}

/** The permission bits among attributes such as `A -rwxr-xr-x`; null where there are none. */
function modeIn(attributes: string): number | null {
  const letters = / [-dl]((?:[r-][w-][xsStT-]){3})$/.exec(attributes.trimEnd())?.[1];
  if (letters === undefined) return null;
  return [...letters].reduce((mode, letter) => mode * 2 + Number(!/[-ST]/.test(letter)), 0);
}

const units: Record<string, number> = { b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** The memory that a method asks for, in bytes: "LZMA2:24" is 2 ** 24, "v5:m3:32m" is 32 MiB. */
export function dictionaryOf(method: string): number {
  const sizes = method.toLowerCase().split(/[\s:]/).map((word) => {
    const [, digits, unit = ""] = /^(?:mem)?(\d{1,9})([bkmg]?)$/.exec(word) ?? [];
    if (digits === undefined) return 0;
    return unit === "" ? 2 ** Math.min(Number(digits), 63) : Number(digits) * (units[unit] ?? 1);
  });
  return Math.max(0, ...sizes);
}
