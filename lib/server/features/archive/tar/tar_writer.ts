import type { FileFacts } from "../../../core/access/folder_handle.ts";
import { archivedMode, type Container, type Source } from "../container.ts";
import type { OutputBuffer } from "../output_buffer.ts";
import { readInto } from "../read_file.ts";
import { blockSize, maxSize, nameSize, type TarHeader, writeHeader } from "./header.ts";

const encoder = new TextEncoder();

/** The name of extended headers; unpacking creates no file for them. */
const paxName = "PaxHeaders/0";

/**
 * Writes a tar in the POSIX.1-2001 format. An extended header precedes the plain one for values
 * that this cannot hold: names that are long or not ASCII, sizes from 8 GiB, fractions of seconds.
 */
export class TarWriter implements Container {
  readonly #out: OutputBuffer;

  constructor(out: OutputBuffer) {
    this.#out = out;
  }

  async folder(name: string, facts: FileFacts): Promise<void> {
    await this.#headers(`${name}/`, { ...facts, size: 0 }, "5");
  }

  async file(name: string, source: Source): Promise<void> {
    await this.#headers(name, source.facts, "0");
    await readInto(source, this.#out);
    await this.#zeros(padding(source.facts.size));
  }

  /** Writes the end: two blocks of zeros. */
  async end(): Promise<void> {
    await this.#zeros(2 * blockSize);
  }

  async #headers(name: string, facts: FileFacts, type: "0" | "5"): Promise<void> {
    const { size, modified } = facts;
    const seconds = Math.floor(modified / 1000);
    const header = { name, mode: archivedMode(facts), size, modified: seconds, type };
    const records = extendedRecords(name, size, modified);
    if (records !== "") await this.#extended(records, seconds);
    await this.#block(header);
  }

  async #extended(records: string, modified: number): Promise<void> {
    const bytes = encoder.encode(records);
    await this.#block({ name: paxName, mode: 0o644, size: bytes.length, modified, type: "x" });
    await this.#out.write(bytes);
    await this.#zeros(padding(bytes.length));
  }

  async #block(header: TarHeader): Promise<void> {
    await this.#out.reserve(blockSize);
    writeHeader(this.#out.rest.subarray(0, blockSize), header);
    this.#out.advance(blockSize);
  }

  /** Chunks are zero where nothing was written. */
  async #zeros(count: number): Promise<void> {
    await this.#out.reserve(count);
    this.#out.advance(count);
  }
}

function extendedRecords(name: string, size: number, modified: number): string {
  let records = "";
  if (name.length > nameSize || !isPlain(name)) records += paxRecord("path", name);
  if (size > maxSize) records += paxRecord("size", String(size));
  if (modified % 1000 !== 0 || modified < 0) records += paxRecord("mtime", String(modified / 1000));
  return records;
}

/** Whether a name is plain ASCII, which every program reads the same way. */
function isPlain(name: string): boolean {
  return !/[^\x20-\x7e]/.test(name);
}

/** The number of bytes to the next block boundary. */
function padding(size: number): number {
  return (blockSize - size % blockSize) % blockSize;
}

/**
 * One record of an extended header (POSIX.1-2001, pax): its length in decimal digits, which counts
 * the digits too, the key, and the value in UTF-8.
 */
export function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = encoder.encode(rest).length;
  let length = bytes + 1;
  while (bytes + String(length).length !== length) length = bytes + String(length).length;
  return `${length}${rest}`;
}
