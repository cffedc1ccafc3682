/** Office documents as PDF, which LibreOffice makes where it is installed. */
import { join } from "node:path";
import type { Access } from "../../../core/access/access.ts";
import type { FileHandle } from "../../../core/access/file_handle.ts";
import type { OpenFile } from "../../../core/disk/disk.ts";
import { Concurrency, FairQueue } from "../../../core/concurrency/fair_queue.ts";
import { SingleFlight } from "../../../core/concurrency/single_flight.ts";
import { DomainError } from "../../../../shared/errors.ts";
import {
  isOfficeName,
  isOlderDocument,
  isWordName,
  isWorkbookName,
  LARGEST_CONVERTED,
} from "../../../../shared/file_kinds.ts";
import { LruCache } from "../../../../shared/lru_cache.ts";
import type { EntryPath } from "../../../../shared/path.ts";
import { extensionOf } from "../../../files/content/types.ts";
import { modifiedOf } from "../../../files/listing/entries.ts";
import { CacheFolder } from "../cache_folder.ts";
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

/** Conversions at a time: the programs' host runs one at a time in any case. */
const maxConcurrent = 2;
/** Maximum number of conversions that wait. */
const maxWaiting = 20;
/** Size of the negative cache: documents that give no PDF. */
const maxRefused = 1_000;

/** Exit statuses above it stand for signals, as in a shell. */
const killedBySignal = 128;
/** Lifetime of a refusal for a limit, in milliseconds: a busy machine may have been the reason. */
const limitRefusalMs = 10 * 60_000;

/** Whether a name is that of a document that browsers read, unless its content is an older one. */
const isNewer = (name: string) => isWordName(name) || isWorkbookName(name);

function beginningOf(file: OpenFile): Uint8Array {
  const bytes = new Uint8Array(8);
  return bytes.subarray(0, file.read(bytes, 0));
}

const start = new TextEncoder().encode("%PDF-");

/**
 * Why LibreOffice makes no PDF of a document: it cannot read it, or exceeds a limit. It ends in one
 * way for a damaged document and for one without enough memory.
 */
export type PaperFlaw = "damaged" | "limits";

const flaws: Record<PaperFlaw, string> = {
  damaged: "it is damaged, protected by a password, or needs too much memory",
  limits: "it needs too much time, memory or disk",
};

/** The refusal of a document that LibreOffice cannot convert. */
export class UnconvertedError extends DomainError {
  constructor(path: EntryPath, readonly flaw: PaperFlaw) {
    super("not_supported", `Cannot convert "${path}" to PDF: ${flaws[flaw]}`);
  }
}

/** Ends a conversion that several may wait for, each by a path of their own. */
class Unconverted extends Error {
  constructor(readonly flaw: PaperFlaw) {
    super(flaw);
  }
}

/** Makes and caches PDFs of Office documents. Rights are checked for every request. */
export class Papers {
  readonly #programs: Programs;
  readonly #cache: CacheFolder;
  readonly #note: (sentence: string) => void;
  readonly #flights = new SingleFlight<Uint8Array<ArrayBuffer>>();
  readonly #refused = new LruCache<string, { flaw: PaperFlaw; until: number }>(maxRefused);
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
    if (!isOfficeName(name) && !isNewer(name)) throw refusal(path, "it is not an Office document");
    if (info.size === 0) throw refusal(path, "it is empty");
    if (info.size > LARGEST_CONVERTED) throw refusal(path, "it is too large");
    if (!this.areMade) throw refusal(path, "LibreOffice is not installed");
    return { path, name, modified: modifiedOf(info), key: paperKey({ real, info }), handle };
  }

  /**
   * Returns the PDF of a document, from the cache or newly made. The conversion is abandoned when
   * all who wait for it have left.
   *
   * @param owner key of the user, for fairness between users
   * @throws UnconvertedError for a document that LibreOffice cannot convert; DomainError `throttled`;
   * `busy` for one that changes; `internal` where LibreOffice cannot be run; the signal's reason
   */
  async make(
    source: PaperSource,
    owner: string,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { key, path } = source;
    const known = this.#refused.get(key);
    if (known && Date.now() < known.until) throw new UnconvertedError(path, known.flaw);
    try {
      return await this.#flights.join(key, async (abandoned) => {
        const kept = await this.#cache.read(key);
        if (kept && isPdf(kept)) return kept;
        const convert = () => this.#convert(source, abandoned);
        return await this.#queue.run(owner, 1, convert, abandoned);
      }, signal);
    } catch (error) {
      if (!(error instanceof Unconverted)) throw error;
      const { flaw } = error;
      this.#refused.set(key, {
        flaw,
        until: flaw === "limits" ? Date.now() + limitRefusalMs : Infinity,
      });
      throw new UnconvertedError(path, flaw);
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
    if (isNewer(name) && !isOlderDocument(beginningOf(file))) {
      throw refusal(path, "browsers read it");
    }
    const extension = extensionOf(name);
    const { end, output } = await this.#programs.run("officePdf", file, signal, extension);
    if (!isUnchanged()) throw changed();
    if (end.failure !== undefined) {
      this.#note(`Media: a program could not be run: ${end.failure}`);
      const message = `Cannot convert "${path}" to PDF: LibreOffice could not be run`;
      throw new DomainError("internal", message);
    }
    // By a signal: the kernel's limits, or memory that could not be had.
    if (end.stopped || end.status > killedBySignal) throw new Unconverted("limits");
    if (!isPdf(output)) throw new Unconverted("damaged");
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
