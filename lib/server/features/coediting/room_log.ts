import * as decoding from "lib0/decoding";
import * as encoding from "lib0/encoding";
import { joined } from "../../../shared/joined.ts";
import { GroupCommit } from "../../core/concurrency/group_commit.ts";
import { inParts } from "../../core/kv/parts.ts";
import type { Store } from "../../core/kv/store.ts";
import { logKey, logPrefix, removeLog, roomRecords } from "./room_records.ts";

/** The longest part, in bytes: a value of the store has less than 64 KiB. */
const maxPartBytes = 60_000;

/** Most parts of one commit: it has less than 800 KiB. */
const maxParts = 10;

/** Most entries that share a commit. */
const maxEntries = 500;

/** The most that waits to be written, in bytes: no more changes are taken meanwhile. */
const maxWaitingBytes = 8 * 1024 ** 2;

/** Parts and bytes after which the log is to be written anew. */
const maxLogParts = 300;
const maxLogBytes = 1024 ** 2;

/** Parts read at a time. */
const partsRead = 20;

/** What a log holds, in its order. */
export type LogEntry =
  /** An update of the document. */
  | { kind: "update"; update: Uint8Array }
  /** The text as of here is about to be saved. */
  | { kind: "saving" }
  /** The text as of the last `saving` is that of the file with an ETag. */
  | { kind: "saved"; etag: string };

const entryKinds = { update: 0, saving: 1, saved: 2 } as const;

/** Entries to be written: at the end, or in place of all before. */
type Writing = { bytes: Uint8Array; replaces: boolean };

/** Another thread owns the room, or it was removed. */
export class LostRoom extends Error {}

/**
 * The changes of a room in the store: what is written is there after a kill. Entries are appended,
 * and share commits; now and then the log is written anew, shorter. Each commit checks that this
 * thread still owns the room, so that a thread which was suspended writes nothing.
 */
export class RoomLog {
  readonly #store: Store;
  readonly #room: string;
  readonly #thread: string;
  readonly #commits: GroupCommit<"log", Writing>;
  #generation = 0;
  #parts = 0;
  #bytes = 0;
  #waitingBytes = 0;
  /** An entry may be there in part, behind which nothing can be read. */
  #isCut = false;

  constructor(store: Store, room: string, thread: string) {
    this.#store = store;
    this.#room = room;
    this.#thread = thread;
    this.#commits = new GroupCommit((_, items) => this.#commit(items), maxEntries);
  }

  /** Whether so much waits to be written that nothing more is taken. */
  get isFull(): boolean {
    return this.#waitingBytes > maxWaitingBytes;
  }

  /** Whether it is to be written anew. */
  get isLong(): boolean {
    return this.#isCut || this.#parts > maxLogParts || this.#bytes > maxLogBytes;
  }

  /** Reads it. What a kill has cut off at the end, which was not acknowledged, is left out. */
  async read(): Promise<LogEntry[]> {
    const record = await roomRecords.get(this.#store, this.#room);
    if (!record) throw new LostRoom();
    this.#generation = record.generation;
    const parts: Uint8Array<ArrayBuffer>[] = [];
    const prefix = logPrefix(this.#room, record.generation);
    for await (
      const some of inParts<Uint8Array<ArrayBuffer>>(this.#store, prefix, { size: partsRead })
    ) {
      for (const { key, value } of some) {
        parts.push(value);
        this.#parts = Number(key.at(-1)) + 1;
      }
    }
    const bytes = joined(parts);
    this.#bytes = bytes.length;
    return entriesIn(bytes);
  }

  /** Writes an entry; it is durable when this resolves. @throws LostRoom; DomainError */
  async append(entry: LogEntry): Promise<void> {
    await this.#write([entry], false);
  }

  /** Resolves when all that was written before is durable. @throws as {@linkcode append} */
  async settle(): Promise<void> {
    await this.#write([], false);
  }

  /** Replaces all that was written before by these entries. @throws as {@linkcode append} */
  async replace(entries: readonly LogEntry[]): Promise<void> {
    await this.#write(entries, true);
  }

  async #write(entries: readonly LogEntry[], replaces: boolean): Promise<void> {
    const bytes = encoded(entries);
    this.#waitingBytes += bytes.length;
    try {
      await this.#commits.add("log", { bytes, replaces });
    } finally {
      this.#waitingBytes -= bytes.length;
    }
  }

  async #commit(items: Writing[]): Promise<void> {
    const last = items.findLastIndex(({ replaces }) => replaces);
    const bytes = joined(items.slice(Math.max(0, last)).map(({ bytes }) => new Uint8Array(bytes)));
    if (last >= 0) return await this.#replaceBy(bytes);
    if (this.#isCut) throw new Error("Cannot append to the log: it has to be written anew");
    this.#isCut = bytes.length > 0;
    await this.#appendBytes(bytes);
    this.#isCut = false;
  }

  async #appendBytes(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += maxParts * maxPartBytes) {
      const piece = bytes.subarray(at, at + maxParts * maxPartBytes);
      await this.#commitParts(piece, this.#generation, this.#parts);
      this.#parts += Math.ceil(piece.length / maxPartBytes);
      this.#bytes += piece.length;
    }
  }

  async #replaceBy(bytes: Uint8Array): Promise<void> {
    const former = this.#generation;
    // A kill may have left some of it.
    await removeLog(this.#store, this.#room, former + 1);
    let parts = 0;
    for (let at = 0; at < bytes.length; at += maxParts * maxPartBytes) {
      const piece = bytes.subarray(at, at + maxParts * maxPartBytes);
      await this.#commitParts(piece, former + 1, parts);
      parts += Math.ceil(piece.length / maxPartBytes);
    }
    const changed = await roomRecords.update(
      this.#store,
      [this.#room],
      (now) => now && { ...this.#owned(now), generation: former + 1 },
    );
    if (!changed) throw new LostRoom();
    this.#generation = former + 1;
    this.#isCut = false;
    this.#parts = parts;
    this.#bytes = bytes.length;
    await removeLog(this.#store, this.#room, former);
  }

  /** Writes bytes as parts, if the room is still owned. */
  async #commitParts(bytes: Uint8Array, generation: number, first: number): Promise<void> {
    for (;;) {
      const entry = await roomRecords.entry(this.#store, this.#room);
      if (entry.value === null) throw new LostRoom();
      this.#owned(entry.value);
      const { ok } = await this.#store.atomic((operation) => {
        operation.check(entry);
        for (let at = 0, part = first; at < bytes.length; at += maxPartBytes, part++) {
          const piece = bytes.slice(at, at + maxPartBytes);
          operation.set(logKey(this.#room, generation, part), piece);
        }
        return operation;
      });
      // The record changes with the place of the file, too.
      if (ok) return;
    }
  }

  /** @throws LostRoom for a room of another thread */
  #owned<T extends { owner: { thread: string } | null }>(record: T): T {
    if (record.owner?.thread !== this.#thread) throw new LostRoom();
    return record;
  }
}

function encoded(entries: readonly LogEntry[]): Uint8Array {
  const encoder = encoding.createEncoder();
  for (const entry of entries) {
    encoding.writeVarUint(encoder, entryKinds[entry.kind]);
    if (entry.kind === "update") encoding.writeVarUint8Array(encoder, entry.update);
    else encoding.writeVarString(encoder, entry.kind === "saved" ? entry.etag : "");
  }
  return encoding.toUint8Array(encoder);
}

function entriesIn(bytes: Uint8Array): LogEntry[] {
  const entries: LogEntry[] = [];
  const decoder = decoding.createDecoder(bytes);
  try {
    while (decoding.hasContent(decoder)) {
      const kind = decoding.readVarUint(decoder);
      const content = decoding.readVarUint8Array(decoder);
      if (decoder.pos > bytes.length) break;
      if (kind === entryKinds.update) entries.push({ kind: "update", update: content.slice() });
      else if (kind === entryKinds.saving) entries.push({ kind: "saving" });
      else entries.push({ kind: "saved", etag: new TextDecoder().decode(content) });
    }
  } catch {
    // The end was cut off.
  }
  return entries;
}
