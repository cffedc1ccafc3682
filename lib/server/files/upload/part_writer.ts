import { delay } from "../../../shared/delay.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { ChunkPlace, UploadPart, UploadParts, Writer } from "./upload_parts.ts";

/** A writer that has not renewed its entry for this long counts as dead, in milliseconds. */
const leaseMs = 10_000;

/** The rest of its lease at which a writer renews it, in milliseconds. */
const renewAtMs = 6_000;

/** The rest of its lease at which a writer that could not renew it stops, in milliseconds. */
const stopAtMs = 2_000;

/** Interval at which a writer looks whether another has taken over, in milliseconds. */
const lookMs = 250;

/** Interval at which a writer that waits for another looks for its end, in milliseconds. */
const waitMs = 50;

/** How long the end of another writer is waited for, in milliseconds. */
const maxWaitMs = leaseMs + 2_000;

/** Most requests that wait for the same upload. */
const maxWriters = 16;

/** How a request becomes the writer of an upload. */
export interface WriterOptions {
  /** Wait until the others have ended, instead of ending them. */
  isPatient?: boolean;
  /** Where its bytes begin, if they count only once their digest is verified. */
  unverifiedFrom?: number;
  /** It writes only a chunk, of which this chooses the place; called again for another attempt. */
  placeChunk?: (now: UploadPart) => Promise<ChunkPlace>;
}

/** How many bytes of an upload count: those of a writer with a digest count once it is verified. */
export function countedBytes({ writers = [] }: Pick<UploadPart, "writers">, size: number): number {
  return Math.min(size, ...writers.map(({ unverifiedFrom = size }) => unverifiedFrom));
}

/**
 * The right of one request to write to an unfinished upload, among all threads and machines on the
 * store. The newest request gets it: the one before is cut off, and the new one begins once that
 * has closed the file, or its lease has run out. Writers of different chunks do not concern each
 * other, and none comes while another writes to all of the upload.
 */
export class PartWriter implements AsyncDisposable {
  readonly #parts: UploadParts;
  readonly #superseded = new AbortController();
  #self: Writer;
  #timer: ReturnType<typeof setInterval> | undefined;
  #looking: Promise<void> | undefined;
  #part: UploadPart;
  #until: number;
  #isEnded = false;

  private constructor(parts: UploadParts, part: UploadPart, self: Writer) {
    this.#parts = parts;
    this.#part = part;
    this.#self = self;
    this.#until = self.until;
  }

  /**
   * Becomes the writer of an upload. Disposal makes room for the next one.
   *
   * @throws {DomainError} `not_found` when the upload is gone; `locked` when a newer request has
   * taken it over, or the former one does not end
   */
  static async take(
    parts: UploadParts,
    part: UploadPart,
    { isPatient = false, unverifiedFrom, placeChunk }: WriterOptions = {},
  ): Promise<PartWriter> {
    const self: Writer = {
      id: crypto.randomUUID(),
      until: Date.now() + leaseMs,
      ...unverifiedFrom !== undefined && { unverifiedFrom },
    };
    const writer = new PartWriter(parts, part, self);
    try {
      await writer.#queue(isPatient, placeChunk);
      await writer.#outlast();
    } catch (error) {
      await writer[Symbol.asyncDispose]();
      throw error;
    }
    writer.#timer = setInterval(() => {
      writer.#looking ??= writer.#look().finally(() => writer.#looking = undefined);
    }, lookMs);
    return writer;
  }

  /** The upload as the store has it. */
  get part(): UploadPart {
    return this.#part;
  }

  /** The place of the chunk that it writes. */
  get chunk(): ChunkPlace | undefined {
    return this.#self.chunk;
  }

  /** Aborted with a DomainError when another request has taken over, or the lease has run out. */
  get signal(): AbortSignal {
    return this.#superseded.signal;
  }

  /**
   * Confirms that no other request writes, before each write: a process that was suspended must not
   * write after its lease.
   *
   * @throws {DomainError} `locked`
   */
  async confirm(): Promise<void> {
    if (this.#until - Date.now() <= stopAtMs) await this.#look();
    this.signal.throwIfAborted();
  }

  /** The end of what counts of a file of a size: behind it dead writers have left other bytes. */
  countedBytes(size: number): number {
    const { writers = [] } = this.#part;
    return countedBytes({ writers: writers.slice(0, placeOf(this.#part, this.#self.id)) }, size);
  }

  /**
   * Stores what has changed, and ends the entries of dead writers: all bytes of the file count.
   *
   * @param stage `begun`: its own bytes are to come; `whole`: the upload has all its bytes; `last`:
   * it ends with its own bytes
   * @param also adds what is written in the same commit
   * @throws {DomainError} `not_found` when the upload is gone; `locked` when another has taken over
   */
  async save(
    change: Partial<Omit<UploadPart, "userId" | "upload" | "chunks" | "writers">>,
    stage: "begun" | "whole" | "last",
    also?: (operation: Deno.AtomicOperation) => unknown,
  ): Promise<UploadPart> {
    const { id, chunk } = this.#self;
    if (stage !== "begun") this.#self = { id, until: this.#until, ...chunk && { chunk } };
    let isNewest = false;
    const now = await this.#parts.change(this.#part, (now) => {
      const at = placeOf(now, id);
      if (at < 0) return null;
      const later = now.writers?.slice(at + 1) ?? [];
      isNewest = !later.some((writer) => isRival(writer, this.#self));
      const others = chunk ? now.writers?.filter((writer) => writer.id !== id) ?? [] : later;
      return { ...now, ...change, writers: stage === "last" ? others : [this.#self, ...others] };
    }, also);
    if (!now) throw goneError(this.#part);
    // With all bytes there is nothing to be sent by another.
    if (!isNewest && stage !== "whole") throw lockedError(now);
    this.#isEnded ||= stage === "last";
    return this.#part = now;
  }

  /** Ends it. The entry of a dead writer stays while its bytes are not cut off. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    if (this.#isEnded) return;
    this.#isEnded = true;
    try {
      await this.#parts.change(this.#part, (now) => {
        const writers = now.writers?.filter(({ id }) => id !== this.#self.id) ?? [];
        return { ...now, writers };
      });
    } catch {
      // The store is full or away: other threads wait for the end of the lease.
      if (endedHere.size < maxEnded) endedHere.add(this.#self.id);
    }
  }

  async #queue(
    isPatient: boolean,
    placeChunk: WriterOptions["placeChunk"],
  ): Promise<void> {
    for (const end = Date.now() + maxWaitMs;; await delay(waitMs)) {
      let isQueued = false;
      const now = await this.#parts.change(this.#part, async (now) => {
        const writers = (now.writers ?? []).filter((writer) =>
          !isOver(writer) || writer.unverifiedFrom !== undefined
        );
        const live = writers.filter((writer) => !isOver(writer));
        const isWhole = live.some(({ chunk }) => chunk === undefined);
        isQueued = live.length < maxWriters && !(isWhole && (isPatient || placeChunk));
        if (!isQueued) return null;
        if (placeChunk) this.#self.chunk = await placeChunk({ ...now, writers });
        return { ...now, writers: [...writers, this.#self] };
      });
      if (!now) throw goneError(this.#part);
      if (isQueued) return void (this.#part = now);
      if (!isPatient || Date.now() > end) throw lockedError(this.#part);
    }
  }

  /** Waits until the writers before have ended. */
  async #outlast(): Promise<void> {
    for (const end = Date.now() + maxWaitMs;; await delay(waitMs)) {
      const before = this.#part.writers?.slice(0, placeOf(this.#part, this.#self.id)) ?? [];
      if (before.every((writer) => isOver(writer) || !isRival(writer, this.#self))) return;
      if (Date.now() > end) throw lockedError(this.#part);
      await this.#look();
      this.signal.throwIfAborted();
    }
  }

  /** Looks whether another request has taken over, and renews the lease. */
  async #look(): Promise<void> {
    try {
      const isLate = this.#until - Date.now() < renewAtMs;
      const now = isLate ? await this.#renew() : await this.#parts.get(this.#part, this.#part.path);
      this.#part = this.#judge(now);
    } catch (error) {
      const refusal = error instanceof DomainError ? error : lockedError(this.#part);
      const isFinal = refusal.code === "not_found" || refusal.code === "locked";
      // While the store is away or full, the lease lasts.
      if (isFinal || this.#until - Date.now() <= stopAtMs) this.#superseded.abort(refusal);
    }
  }

  async #renew(): Promise<UploadPart | null> {
    const until = Date.now() + leaseMs;
    const now = await this.#parts.change(this.#part, (now) => {
      const at = placeOf(now, this.#self.id);
      if (at < 0) return null;
      return { ...now, writers: now.writers?.with(at, { ...this.#self, until }) };
    });
    this.#until = until;
    return now;
  }

  #judge(now: UploadPart | null): UploadPart {
    if (!now) throw goneError(this.#part);
    const at = placeOf(now, this.#self.id);
    const later = now.writers?.slice(at + 1) ?? [];
    if (at >= 0 && !later.some((writer) => isRival(writer, this.#self))) return now;
    throw lockedError(now);
  }
}

/** Writers of this thread that have ended although the store could not be told. */
const endedHere = new Set<string>();
const maxEnded = 10_000;

/** Whether two writers may write the same bytes. */
function isRival({ chunk: a }: Writer, { chunk: b }: Writer): boolean {
  return a === undefined || b === undefined || a.name === b.name;
}

function isOver({ id, until }: Writer): boolean {
  return until < Date.now() || endedHere.has(id);
}

function placeOf({ writers = [] }: UploadPart, wanted: string): number {
  return writers.findIndex(({ id }) => id === wanted);
}

function goneError({ path }: UploadPart): DomainError {
  return new DomainError("not_found", `Cannot resume "${path}": no upload in progress`);
}

function lockedError({ path }: UploadPart): DomainError {
  return new DomainError("locked", `Cannot write "${path}": another request is sending it`);
}
