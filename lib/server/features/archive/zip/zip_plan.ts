import { createHash } from "node:crypto";
import type { FileFacts } from "../../../core/access/folder_handle.ts";
import type { Container, Source } from "../container.ts";
import { endLength } from "./end_records.ts";
import { fileEntry, folderEntry, type ZipEntry } from "./entry.ts";
import { centralLength, descriptorLength, localLength } from "./records.ts";

/** An entry to be written. */
export interface PlannedEntry {
  name: string;
  facts: FileFacts;
  /** Null for a folder. */
  source: Source | null;
}

/** Limit of a plan, which takes about 250 bytes an entry for as long as the download lasts. */
const maxEntries = 200_000;

/** Changes with the layout of the archive, so that no download resumes with another layout. */
const layoutVersion = 1;

/**
 * Collects the entries of a stored zip without reading any file: enough to know its length and the
 * position of each byte, so that a download can be resumed.
 */
export class ZipPlan implements Container {
  readonly entries: PlannedEntry[] = [];
  /** The largest size of a folder itself on the disk, in bytes. */
  widestFolder = 0;
  readonly #hash = createHash("sha256").update(`zip ${layoutVersion}\n`);
  #length = 0;
  #directoryLength = 0;

  /** Whether there are too many entries to plan; the plan is then useless. */
  get isTooLarge(): boolean {
    return this.entries.length > maxEntries;
  }

  /** The length of the whole archive, in bytes. */
  get size(): number {
    const directory = {
      count: this.entries.length,
      length: this.#directoryLength,
      offset: this.#length,
    };
    return this.#length + this.#directoryLength + endLength(directory);
  }

  /**
   * A strong validator, with its quotes: changes with any name, size, time, mode or inode. Call
   * once, after all entries were added.
   */
  etag(): string {
    return `"zip-${this.#hash.digest("hex").slice(0, 32)}"`;
  }

  folder(name: string, facts: FileFacts): void {
    this.widestFolder = Math.max(this.widestFolder, facts.size);
    this.#add({ name, facts, source: null });
  }

  file(name: string, source: Source): void {
    this.#add({ name, facts: source.facts, source });
  }

  #add(planned: PlannedEntry): void {
    const entry = zipEntryAt(planned, this.#length);
    this.#length += lengthOf(entry);
    this.#directoryLength += centralLength(entry);
    const { size, modified, mode, ino, dev } = planned.facts;
    const state = planned.source ? [size, modified, mode, dev, ino] : [modified, mode];
    this.#hash.update(`${planned.name}\0${state.join(" ")}\n`);
    this.entries.push(planned);
  }
}

/** The entry of a stored zip at this offset; its checksum is still to come. */
export function zipEntryAt({ name, facts, source }: PlannedEntry, offset: number): ZipEntry {
  return source ? fileEntry(name, facts, offset, "stored") : folderEntry(name, facts, offset);
}

/** The length of an entry with the records before and after its bytes. */
export function lengthOf(entry: ZipEntry): number {
  return localLength(entry) + entry.packedSize + descriptorLength(entry);
}
