/** Office documents as PDF, which LibreOffice makes where it is installed. */
import { join } from "node:path";
import type { Access } from "../../../core/access/access.ts";
import type { FileHandle } from "../../../core/access/file_handle.ts";
import { Concurrency, FairQueue } from "../../../core/concurrency/fair_queue.ts";
import { SingleFlight } from "../../../core/concurrency/single_flight.ts";
import { DomainError } from "../../../../shared/errors.ts";
import { isOfficeName } from "../../../../shared/file_kinds.ts";
import { LruCache } from "../../../../shared/lru_cache.ts";
import type { EntryPath } from "../../../../shared/path.ts";
import { extensionOf } from "../../../files/content/types.ts";
import { modifiedOf } from "../../../files/listing/entries.ts";
import { CacheFolder } from "../cache_folder.ts";
import { NoPreview } from "../images/no_preview.ts";
import { isSameState, paperKey } from "../images/preview_key.ts";
import type { Programs } from "../media/programs/programs.ts";

/** Dependencies of {@linkcode Papers}. */
export interface PapersOptions {
  programs: Programs;
  /** The cache folder. */
  cacheDir: string;
  /** Logs a sentence. */
  note(sentence: string): void;
  /** Maximum size of the cache, in bytes; 1 GiB by default. */
  maxCacheBytes?: number;
}

/** A document as its viewer may read it, and the PDF that it gives. */
export interface PaperSource {
  path: EntryPath;
  name: string;
  modified: Date;
  /** The cache key of the PDF. */
  key: string;
  handle: FileHandle;
}

/** The largest document that is converted, in bytes. */
const maxDocumentBytes = 100 * 2 ** 20;
/** Conversions at a time: the programs' host runs one at a time in any case. */
const maxConcurrent = 2;
/** Maximum number of conversions that wait. */
const maxWaiting = 20;
/** Size of the negative cache: documents that give no PDF. */
const maxRefused = 1_000;

const start = new TextEncoder().encode("%PDF-");

/** Makes and caches PDFs of Office documents. Rights are checked for every request. */
export class Papers {
  readonly #programs: Programs;
  readonly #cache: CacheFolder;
  readonly #note: (sentence: string) => void;
  readonly #flights = new SingleFlight<Uint8Array<ArrayBuffer>>();
  readonly #refused = new LruCache<string, string>(maxRefused);
  readonly #queue = new FairQueue({
    capacity: new Concurrency(maxConcurrent),
    waiting: { max: maxWaiting, refuse: queueFullError },
  });

  constructor({ programs, cacheDir, note, maxCacheBytes }: PapersOptions) {
    this.#programs = programs;
    this.#cache = new CacheFolder(join(cacheDir, "papers"), maxCacheBytes);
    this.#note = note;
  }

  /** Whether documents can be converted, as far as is known now. */
  get areMade(): boolean {
    return this.#programs.can("officePdf");
  }

  /**
   * Reads the facts of a document without opening it.
   *
   * @throws DomainError `forbidden` without the permission to download, `not_found`, `is_folder`,
   * `not_a_file`; `not_supported` for other files, and where LibreOffice is not installed
   */
  source(access: Access, path: EntryPath): PaperSource {
    const handle = access.read(path);
    const { name, info, real } = handle;
    if (!isOfficeName(name)) throw refusal(path, "it is not an Office document");
    if (info.size === 0) throw refusal(path, "it is empty");
    if (info.size > maxDocumentBytes) throw refusal(path, "it is too large");
    if (!this.areMade) throw refusal(path, "LibreOffice is not installed");
    return { path, name, modified: modifiedOf(info), key: paperKey({ real, info }), handle };
  }

  /**
   * Returns the PDF of a document, from the cache or newly made. The conversion is abandoned when
   * all who wait for it have left.
   *
   * @param owner key of the user, for fairness between users
   * @throws DomainError `not_supported` for a document that LibreOffice cannot convert, `throttled`;
   * `busy` for one that changes; the signal's reason
   */
  async make(
    source: PaperSource,
    owner: string,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { key, path } = source;
    const known = this.#refused.get(key);
    if (known !== undefined) throw refusal(path, known);
    const kept = await this.#cache.read(key);
    if (kept && isPdf(kept)) return kept;
    try {
      return await this.#flights.join(
        key,
        (abandoned) => this.#queue.run(owner, 1, () => this.#convert(source, abandoned), abandoned),
        signal,
      );
    } catch (error) {
      if (!(error instanceof NoPreview)) throw error;
      this.#refused.set(key, error.reason);
      throw refusal(path, error.reason);
    }
  }

  async #convert(
    { handle, key, name, path }: PaperSource,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    using file = handle.openSync();
    const isUnchanged = () => isSameState(file.facts(), handle.info);
    const changed = () => new DomainError("busy", `Cannot convert "${path}": it is changing`, 2);
    if (!isUnchanged()) throw changed();
    const extension = extensionOf(name);
    const { end, output } = await this.#programs.run("officePdf", file, signal, extension);
    if (!isUnchanged()) throw changed();
    if (end.failure !== undefined) {
      this.#note(`Media: a program could not be run: ${end.failure}`);
      throw new NoPreview("LibreOffice could not be run");
    }
    if (end.stopped) throw new NoPreview("it needs too much time or memory");
    if (!isPdf(output)) throw new NoPreview("it is damaged or protected by a password");
    // A PDF that the disk refuses is made again next time.
    await this.#cache.write(key, output).catch(() => {});
    await this.#cache.sweep();
    return output;
  }
}

function isPdf(bytes: Uint8Array): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

function refusal(path: EntryPath, reason: string): DomainError {
  return new DomainError("not_supported", `Cannot convert "${path}" to PDF: ${reason}`);
}

function queueFullError(): DomainError {
  return new DomainError(
    "throttled",
    "Cannot convert the document: too many are being converted",
    5,
  );
}
