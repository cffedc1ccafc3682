import type * as Y from "yjs";
import type { Ended, Saved } from "../../../shared/coediting.ts";
import { DomainError } from "../../../shared/errors.ts";
import { delay } from "../../../shared/delay.ts";
import { shownVisitor } from "../../../shared/visitor_name.ts";
import type { Store } from "../../core/kv/store.ts";
import { type Admission, admit, goneError, type Grant } from "./grants.ts";
import { type FileServices, type FileText, RoomFile } from "./room_file.ts";
import { type LogEntry, LostRoom, RoomLog } from "./room_log.ts";
import type { RoomRecords } from "./room_records.ts";
import { isEmptyUpdate, maxDocumentBytes, SharedDocument } from "./shared_document.ts";

/** A text is saved after this time without a change, in milliseconds. */
const pauseMs = 2_000;

/** It is saved so often while it is written, in milliseconds. */
const saveEveryMs = 20_000;

/** After a save that failed it is tried again, in milliseconds: first, and at most. */
const retryMs = 2_000;
const maxRetryMs = 30_000;

/** A file that is gone for so long does not come back, in milliseconds: programs replace files. */
const goneMs = 2_000;

/**
 * A file that is no text for so long ends the room, in milliseconds: programs write in pieces, and
 * a piece may end within a character or a line end.
 */
const unreadableMs = 10_000;

/** How long the end of a room waits for its last save and its log, in milliseconds. */
const closeMs = 4_000;

/** What the members of a room are told. */
export interface TextListener {
  changed(update: Uint8Array, origin: unknown): void;
  saved(): void;
  failed(ended: Ended): void;
  /** All that has come is durable. */
  kept(): void;
  /** The room is over. */
  ended(ended: Omit<Ended, "closing">): void;
  /** Those who are in, first those who may change the text. */
  members(): Grant[];
}

/** What a text is opened with. */
export interface TextOptions {
  services: FileServices & { store: Store };
  records: RoomRecords;
  /** The id of the room, which this thread owns. */
  id: string;
  thread: string;
  room: TextListener;
}

/** A writer with a change that is not saved. */
interface Author {
  grant: Grant;
  name: string;
}

/**
 * The text of a room: the document that its members share, its log, and its file. The text is saved
 * at pauses; a change of the file by another program is merged.
 */
export class RoomText {
  /** Names its history. */
  readonly document: string;
  readonly #options: TextOptions;
  readonly #file: RoomFile;
  readonly #log: RoomLog;
  readonly #shared: SharedDocument;
  /** The state whose text the file has. */
  #base: Uint8Array = new Uint8Array();
  /** Who has changed the text since it was saved, the last one at the end. */
  readonly #authors = new Map<string, Author>();
  /** The same of the last save. */
  #savedBy: string[] = [];
  #isSaved = true;
  #isAsked = false;
  #firstChangeAt = 0;
  #lastChangeAt = 0;
  #tryAt = -Infinity;
  #retryMs = retryMs;
  #failure: Ended | null = null;
  #saving: Promise<void> | null = null;
  #looking: Promise<void> | null = null;
  #repairing: Promise<void> | null = null;
  #goneSince: number | null = null;
  #unreadableSince: number | null = null;
  readonly #gone = new AbortController();
  #isLost = false;

  private constructor(options: TextOptions, document: string) {
    const { services, id, thread, room } = options;
    this.#options = options;
    this.document = document;
    this.#file = new RoomFile(services);
    this.#log = new RoomLog(services.store, id, thread);
    this.#shared = new SharedDocument((update, origin) => room.changed(update, origin));
  }

  /**
   * Opens the text as the file has it, with what members have written before a kill.
   *
   * @throws DomainError as `admit()` and `RoomFile.read()`
   */
  static async open(options: TextOptions, first: Grant): Promise<RoomText> {
    const record = await options.records.get(options.id);
    if (!record) throw goneError();
    const text = new RoomText(options, record.document);
    try {
      await text.#begin(await admit(options.services, first, record.place));
    } catch (error) {
      text.#shared.close();
      throw error;
    }
    return text;
  }

  get doc(): Y.Doc {
    return this.#shared.doc;
  }

  /** How much memory it takes, in bytes. */
  get size(): number {
    return this.#shared.size + this.#base.length;
  }

  /** The file as members know it. */
  get saved(): Saved {
    return { ...this.#file.state, document: this.document, by: this.#savedBy };
  }

  /** Whether the file has the text as it is. */
  get isSaved(): boolean {
    return this.#isSaved;
  }

  /** Why the last save failed; null when it did not. */
  get failure(): Ended | null {
    return this.#failure;
  }

  /**
   * Applies a change of a member, who may make it now.
   *
   * @returns resolves when it is durable
   * @throws DomainError as `SharedDocument.apply()`; `busy` while the store cannot keep up
   */
  change(
    update: Uint8Array,
    author: Author,
    isForeign: (client: number) => boolean,
  ): Promise<void> {
    if (isEmptyUpdate(update)) return this.#durable(this.#log.settle());
    if (this.#log.isFull) {
      throw new DomainError("busy", "Cannot change the text: the store is too slow", 5);
    }
    this.#shared.apply(update, author, isForeign);
    const { grant, name } = author;
    const { session, share, visitor } = grant;
    const key = JSON.stringify([session?.userId, share?.hash, visitor]);
    this.#authors.delete(key);
    this.#authors.set(key, { grant, name });
    this.#noteChange();
    return this.#durable(this.#log.append({ kind: "update", update }));
  }

  /** Saves when the server comes to it. @param isAsked by a member */
  saveSoon(isAsked: boolean): void {
    this.#isAsked ||= isAsked;
    if (isAsked && this.#isSaved) this.#options.room.saved();
    this.#tryAt = -Infinity;
    this.#lastChangeAt = -Infinity;
    void this.look().catch(() => {});
  }

  /** Somebody is there who may save what nobody could before. */
  continueSaving(): void {
    if (this.#failure?.code === "forbidden") this.#tryAt = -Infinity;
  }

  /** Looks after the file: what has changed there is merged, what has changed here is saved. */
  look(): Promise<void> {
    return this.#looking ??= this.#look().finally(() => this.#looking = null);
  }

  /** Saves, and ends. */
  async close(): Promise<void> {
    const limit = new AbortController();
    const saved = this.#saveLast().catch(() => {});
    await Promise.race([saved, delay(closeMs, limit.signal)]);
    limit.abort();
    this.#gone.abort();
    this.#shared.close();
  }

  async #saveLast(): Promise<void> {
    await this.#looking?.catch(() => {});
    if (this.#isLost) return;
    if (!this.#isSaved) await this.#save().catch(() => {});
    const { records, id } = this.#options;
    // A history that is much longer than its text begins again.
    const isLong = this.#shared.size > maxDocumentBytes / 2 &&
      this.#shared.size > 4 * this.#shared.text.length;
    if (this.#isSaved && isLong) await records.forgetHistory(id);
    else await this.#log.replace(this.#entries());
  }

  async #begin(admission: Admission): Promise<void> {
    const entries = await this.#log.read();
    const file = await this.#file.read(admission);
    if (entries.length === 0) {
      this.#shared.begin(file.text);
      this.#base = this.#shared.state();
    } else {
      const etag = this.#replay(entries, file);
      if (etag !== file.etag) this.#base = this.#shared.merge(this.#base, file.text);
      this.#compare(file);
    }
    await this.#log.replace(this.#entries());
  }

  /** Makes the document of the log. @returns the ETag of the file whose text the base has */
  #replay(entries: readonly LogEntry[], file: FileText): string {
    let saving: Uint8Array | null = null;
    let etag = "";
    for (const entry of entries) {
      if (entry.kind === "update") this.#shared.replay(entry.update);
      else if (entry.kind === "saving") {
        saving = this.#shared.state();
        // The end of the save was not noted, but the file has its text.
        if (this.#shared.text === file.text) [this.#base, etag] = [saving, file.etag];
      } else if (saving) [this.#base, etag] = [saving, entry.etag];
    }
    if (this.#base.length === 0) this.#base = this.#shared.state();
    return etag;
  }

  /** Whether the document has something besides the text of the file, into which it was merged. */
  #compare({ text }: FileText): void {
    this.#isSaved = this.#shared.text === text;
    if (this.#isSaved) this.#base = this.#shared.state();
    else this.#noteChange();
  }

  /** What the log is to hold. */
  #entries(): LogEntry[] {
    const { etag } = this.#file.state;
    const saved: LogEntry[] = [{ kind: "saving" }, { kind: "saved", etag }];
    if (this.#isSaved) return [{ kind: "update", update: this.#shared.state() }, ...saved];
    const since = this.#shared.changesSince(this.#base);
    return [{ kind: "update", update: this.#base }, ...saved, { kind: "update", update: since }];
  }

  #noteChange(): void {
    this.#lastChangeAt = performance.now();
    if (this.#isSaved) this.#firstChangeAt = this.#lastChangeAt;
    this.#isSaved = false;
  }

  /** Writes the log anew when an entry could not be written. */
  async #durable(written: Promise<void>): Promise<void> {
    try {
      await written;
    } catch (error) {
      if (error instanceof LostRoom) this.#lose();
      else this.#repairing ??= this.#repair().finally(() => this.#repairing = null);
      throw error;
    }
  }

  /** Another thread has the text now, with all that is in the log. */
  #lose(): void {
    this.#isLost = true;
    this.#options.room.ended({ code: "busy", message: "The text is open on another server" });
  }

  async #repair(): Promise<void> {
    this.#fail(new DomainError("busy", "Cannot keep the changes: the store cannot be written"));
    for (;;) {
      await delay(retryMs, this.#gone.signal);
      if (this.#gone.signal.aborted) return;
      try {
        await this.#log.replace(this.#entries());
        this.#failure = null;
        return this.#options.room.kept();
      } catch (error) {
        if (error instanceof LostRoom) return this.#lose();
      }
    }
  }

  async #look(): Promise<void> {
    if (this.#gone.signal.aborted || this.#isLost) return;
    const admission = await this.#admission();
    if (admission) {
      if (this.#file.hasChanged(admission)) await this.#takeChange(admission);
    }
    const now = performance.now();
    const isDue = now - this.#lastChangeAt >= pauseMs || now - this.#firstChangeAt >= saveEveryMs;
    if (!this.#isSaved && isDue && now >= this.#tryAt) await this.#save();
    else if (this.#log.isLong && !this.#repairing) await this.#log.replace(this.#entries());
  }

  /** The access of somebody who may read the file; null while there is none. */
  async #admission(): Promise<Admission | null> {
    const { records, id, services, room } = this.#options;
    const record = await records.get(id);
    if (!record) {
      room.ended(toldOf(goneError()));
      return null;
    }
    if (record.owner?.thread !== this.#options.thread) {
      this.#lose();
      return null;
    }
    const grants = [...room.members(), ...this.#grants()];
    let gone: DomainError | null = null;
    for (const grant of grants) {
      try {
        const admission = await admit(services, grant, record.place, true);
        this.#goneSince = null;
        return admission;
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        if (error.code === "not_found") gone = error;
      }
    }
    if (gone && await records.isCurrent(id, record.place)) {
      this.#goneSince ??= performance.now();
      if (performance.now() - this.#goneSince >= goneMs) room.ended(toldOf(gone));
    } else if (gone) room.ended(toldOf(gone));
    return null;
  }

  #grants(): Grant[] {
    return [...this.#authors.values()].map(({ grant }) => grant).reverse();
  }

  /** Merges what another program has written. */
  async #takeChange(admission: Admission): Promise<void> {
    try {
      const file = await this.#file.read(admission);
      this.#unreadableSince = null;
      this.#base = this.#shared.merge(this.#base, file.text);
      this.#savedBy = [];
      this.#compare(file);
      await this.#log.replace(this.#entries());
      this.#options.room.saved();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code !== "not_supported" && error.code !== "body_too_large") return;
      this.#unreadableSince ??= performance.now();
      const isOver = performance.now() - this.#unreadableSince >= unreadableMs;
      if (isOver) this.#options.room.ended(toldOf(error));
    }
  }

  #save(): Promise<void> {
    return this.#saving ??= this.#saveNow().finally(() => this.#saving = null);
  }

  async #saveNow(): Promise<void> {
    const isAsked = this.#isAsked;
    this.#isAsked = false;
    this.#shared.normalize();
    const { text } = this.#shared;
    const base = this.#shared.state();
    const authors = new Map(this.#authors);
    this.#authors.clear();
    this.#isSaved = true;
    try {
      // After a kill it decides whether the file has what the log has.
      await this.#durable(this.#log.append({ kind: "saving" }));
      await this.#write(text, [...authors.values()].reverse(), isAsked);
      this.#base = base;
      await this.#durable(this.#log.append({ kind: "saved", etag: this.#file.state.etag }));
    } catch (error) {
      this.#isSaved = false;
      for (const [key, author] of authors) {
        if (!this.#authors.has(key)) this.#authors.set(key, author);
      }
      if (!(error instanceof DomainError)) throw error;
      // The next look merges what is there now.
      if (error.code === "precondition_failed") return;
      this.#tryAt = performance.now() + this.#retryMs;
      this.#retryMs = Math.min(this.#retryMs * 2, maxRetryMs);
      return this.#fail(error);
    }
    this.#failure = null;
    this.#retryMs = retryMs;
    const names = [...authors.values()].map(({ grant, name }) =>
      grant.session ? name : shownVisitor(name)
    );
    this.#savedBy = [...new Set(names)];
    await this.#noteChanges([...authors.values()]);
    this.#options.room.saved();
  }

  /** Notes the file among the recent ones of its writers. */
  async #noteChanges(authors: Author[]): Promise<void> {
    const { records, id } = this.#options;
    const record = await records.get(id);
    for (const { grant } of authors) if (record) await this.#file.noteChange(grant, record.place);
  }

  /** Writes the file as one of those who may, first as those who have changed the text. */
  async #write(text: string, authors: Author[], isAsked: boolean): Promise<void> {
    const { records, id, services, room } = this.#options;
    const record = await records.get(id);
    if (!record) throw goneError();
    let refusal: DomainError | null = null;
    for (const grant of [...authors.map(({ grant }) => grant), ...room.members()]) {
      try {
        const admission = await admit(services, grant, record.place, true);
        return void await this.#file.save(admission, grant, text, { isAsked });
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        const isOfMember = error.code === "forbidden" || error.code === "not_signed_in" ||
          error.code === "not_found" || error.code === "over_quota";
        refusal ??= error;
        if (!isOfMember) throw error;
      }
    }
    throw refusal ?? new DomainError("forbidden", "Cannot save the text: none who is in it may");
  }

  #fail({ code, message, retryAfter }: DomainError): void {
    const isTold = this.#failure?.code === code;
    this.#failure = {
      ...{ code, message, closing: false },
      ...retryAfter !== undefined && { retryAfter },
    };
    if (!isTold) this.#options.room.failed(this.#failure);
  }
}

function toldOf({ code, message }: DomainError): Omit<Ended, "closing"> {
  return { code, message };
}
