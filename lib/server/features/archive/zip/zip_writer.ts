import { deflateRawSync } from "node:zlib";
import type { FileFacts } from "../../../core/access/folder_handle.ts";
import { extensionOf } from "../../../files/content/types.ts";
import { isPacked } from "../../../../shared/file_kinds.ts";
import { fastLevel } from "../deflate.ts";
import type { Container, Source } from "../container.ts";
import type { OutputBuffer } from "../output_buffer.ts";
import { readBeginning } from "../read_file.ts";
import { fileEntry, folderEntry, maxBufferedBytes, type Method, type ZipEntry } from "./entry.ts";
import { writeHead, writeLarge, writeSmall, type ZipOutput } from "./write_file.ts";
import { endLength, writeEnd } from "./end_records.ts";
import { centralLength, writeCentral } from "./records.ts";

/** The beginning of a large file that is test-deflated, in bytes. */
const sampleSize = 32 * 1024;

/** A sample that does not shrink below this ratio is stored. */
const worthIt = 0.95;

/**
 * Writes a zip without a plan, as a walk brings the entries: stored or deflated. A stored one has
 * the same bytes as `PlannedZip` writes for the same entries.
 */
export class ZipWriter implements Container {
  readonly #output: ZipOutput;
  readonly #directory = new CentralDirectory();

  constructor(output: ZipOutput) {
    this.#output = output;
  }

  async folder(name: string, facts: FileFacts): Promise<void> {
    const entry = folderEntry(name, facts, this.#out.position);
    await writeHead(this.#out, entry);
    this.#directory.add(entry);
  }

  async file(name: string, source: Source): Promise<void> {
    const method = this.#methodOf(name, source);
    const entry = fileEntry(name, source.facts, this.#out.position, method);
    await write(this.#output, entry, source);
    this.#directory.add(entry);
  }

  /** Writes the directory and the end records. */
  async end(): Promise<void> {
    await this.#directory.write(this.#out);
  }

  get #out(): OutputBuffer {
    return this.#output.out;
  }

  #methodOf(name: string, source: Source): Method {
    if (!this.#output.deflating || isPacked(extensionOf(name).slice(1))) return "stored";
    const { size } = source.facts;
    if (size <= maxBufferedBytes) return size === 0 ? "stored" : "deflated";
    const sample = readBeginning(source, sampleSize);
    const packed = deflateRawSync(sample, { level: fastLevel }).length;
    return packed < sample.length * worthIt ? "deflated" : "stored";
  }
}

function write(output: ZipOutput, entry: ZipEntry, source: Source): Promise<void> {
  return entry.hasDescriptor
    ? writeLarge(output, entry, source)
    : writeSmall(output, entry, source);
}

/** Records are buffered in chunks of this many bytes. */
const chunkSize = 64 * 1024;

/**
 * The directory of a zip in the making. It alone grows with every entry, so its records are kept as
 * final bytes, about 100 an entry.
 */
class CentralDirectory {
  readonly #chunks: Uint8Array[] = [];
  #chunk = new Uint8Array(chunkSize);
  #used = 0;
  #count = 0;

  /** Adds the record of a complete entry. */
  add(entry: ZipEntry): void {
    const length = centralLength(entry);
    if (this.#chunk.length - this.#used < length) {
      this.#chunks.push(this.#chunk.subarray(0, this.#used));
      this.#chunk = new Uint8Array(Math.max(chunkSize, length));
      this.#used = 0;
    }
    writeCentral(new DataView(this.#chunk.buffer), this.#used, entry);
    this.#used += length;
    this.#count++;
  }

  /** Writes the records and the end records. */
  async write(out: OutputBuffer): Promise<void> {
    const offset = out.position;
    for (const chunk of this.#chunks.splice(0)) await out.write(chunk);
    await out.write(this.#chunk.subarray(0, this.#used));
    const directory = { count: this.#count, length: out.position - offset, offset };
    const length = endLength(directory);
    await out.reserve(length);
    writeEnd(out.view, out.offset, directory);
    out.advance(length);
  }
}
