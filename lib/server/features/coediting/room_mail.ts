import * as decoding from "lib0/decoding";
import * as encoding from "lib0/encoding";
import { delay } from "../../../shared/delay.ts";
import { joined } from "../../../shared/joined.ts";
import { LruCache } from "../../../shared/lru_cache.ts";
import { dayMs } from "../../../shared/time.ts";
import { GroupCommit } from "../../core/concurrency/group_commit.ts";
import { Collection } from "../../core/kv/collection.ts";
import { inParts } from "../../core/kv/parts.ts";
import { randomId } from "../../core/kv/random_id.ts";
import type { Store } from "../../core/kv/store.ts";

/** The most of one part, in bytes: a value of the store has less than 64 KiB. */
const maxPartBytes = 60_000;

/** What a part takes besides each message, in bytes. */
const messageOverhead = 40;

/** Most parts of one commit: it has less than 800 KiB. */
const maxParts = 10;

/** Most messages that share a commit. */
const maxMessages = 500;

/** Parts read at a time. */
const partsRead = 20;

/** Parts to one thread that may be unread: the next one waits until the first of them was read. */
const maxUnread = 100;

/** The most that waits to be written to one thread, in bytes. */
const maxWaitingBytes = 16 * 1024 ** 2;

/** The least time between two commits to one thread, in milliseconds. */
const paceMs = 20;

/** How long a thread may leave its mail unread, and the pauses until then, in milliseconds. */
const unreadMs = 10_000;
const unreadPauseMs = 50;

/** How long the end waits for what was sent last, in milliseconds. */
const closingMs = 1_000;

/** Most threads whose place in their mail is known. */
const maxPeers = 1_000;

/** Some of what one thread tells another: whole messages, or a piece of a long one. */
type MailPart =
  | { messages: Uint8Array<ArrayBuffer>[] }
  | { piece: Uint8Array<ArrayBuffer>; at: number; isLast: boolean };

/** Parts by which a thread tells one of another server something, until they are read. */
const mailParts = new Collection<
  MailPart,
  [to: string, from: string, link: string, part: number]
>("coediting_mail");

/** When a thread was written to last, in milliseconds since 1970: each thread follows its own. */
const mailCalls = new Collection<number>("coediting_calls", {
  expires: (at, now) => at + dayMs <= now,
});

/** A message on its way, of the link on which it was to be sent. */
interface Letter {
  link: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** What is sent to one thread. */
interface Outbox {
  /** Names an unbroken row of parts. */
  link: string;
  part: number;
  waitingBytes: number;
  sentAt: number;
}

/** What has come on one link. */
interface Inbox {
  next: number;
  /** The pieces of a message whose end has not come. */
  pieces: Uint8Array<ArrayBuffer>[];
}

/** Who takes mail. */
export interface MailReader {
  /** Takes a message, in the order of its sender. */
  take(message: unknown, from: string): void;
  /** Some of what a thread sent, or was sent, is lost. */
  lose(thread: string): void;
}

/**
 * Messages between threads of several servers, through the store that they share. What is sent while
 * a commit is under way shares the next one. Messages of one sender come once each and in their order,
 * or the sender is told to be lost. What waits is bounded on both sides.
 */
export class RoomMail {
  readonly #store: Store;
  readonly #own: string;
  readonly #commits: GroupCommit<string, Letter>;
  readonly #outboxes = new LruCache<string, Outbox>(maxPeers);
  readonly #inboxes = new LruCache<string, Inbox>(maxPeers);
  readonly #sending = new Set<Promise<void>>();
  readonly #closed = new AbortController();
  #reader: MailReader | null = null;
  #following: Disposable | null = null;
  #reading: Promise<void> | null = null;
  #isCalled = false;
  #isClosing = false;

  /** @param own the name of this thread */
  constructor(store: Store, own: string) {
    this.#store = store;
    this.#own = own;
    this.#commits = new GroupCommit((to, letters) => this.#send(to, letters), maxMessages);
  }

  /** Reads what comes, until {@linkcode rest}. */
  listen(reader: MailReader): void {
    this.#reader = reader;
    const key = mailCalls.key(this.#own);
    this.#following ??= this.#store.network?.follow(key, () => this.look()) ?? null;
  }

  /** Reads nothing any more; what was sent before is still written. */
  rest(): void {
    this.#reader = null;
    this.#following?.[Symbol.dispose]();
    this.#following = null;
  }

  /** Looks for mail, also without a call. */
  look(): void {
    this.#isCalled = true;
    this.#reading ??= this.#readAll().catch(() => {
      // The store is away: the next look reads it.
    }).finally(() => this.#reading = null);
  }

  /** Sends a message: numbers, texts, bytes, lists and objects of them. */
  post(to: string, message: unknown): void {
    if (this.#isClosing) return;
    const box = this.#outboxOf(to);
    const bytes = encoding.encode((encoder) => encoding.writeAny(encoder, message as never));
    box.waitingBytes += bytes.length;
    if (box.waitingBytes > maxWaitingBytes) return this.#break(to, box);
    const letter = { link: box.link, bytes: bytes as Uint8Array<ArrayBuffer> };
    const sent: Promise<void> = this.#commits.add(to, letter).catch(() => {}).finally(() => {
      box.waitingBytes -= bytes.length;
      this.#sending.delete(sent);
    });
    this.#sending.add(sent);
  }

  /** Sends and reads nothing any more, once what was sent is written, such as the end of a room. */
  async close(): Promise<void> {
    this.rest();
    this.#isClosing = true;
    const limit = new AbortController();
    await Promise.race([Promise.all(this.#sending), delay(closingMs, limit.signal)]);
    limit.abort();
    this.#closed.abort();
    await Promise.all(this.#sending);
    await this.#reading;
  }

  #outboxOf(to: string): Outbox {
    const known = this.#outboxes.get(to);
    if (known) return known;
    const box = { link: randomId(8), part: 0, waitingBytes: 0, sentAt: -Infinity };
    this.#outboxes.set(to, box);
    return box;
  }

  async #send(to: string, letters: Letter[]): Promise<void> {
    const box = this.#outboxOf(to);
    const parts = partsOf(
      letters.filter(({ link }) => link === box.link).map(({ bytes }) => bytes),
    );
    try {
      for (let at = 0; at < parts.length; at += maxParts) {
        const waitMs = box.sentAt + paceMs - performance.now();
        if (waitMs > 0) await delay(waitMs, this.#closed.signal);
        await this.#write(to, box, parts.slice(at, at + maxParts));
        box.sentAt = performance.now();
      }
    } catch {
      // Whether it was written is not known.
      this.#break(to, box);
    }
  }

  async #write(to: string, box: Outbox, parts: MailPart[]): Promise<void> {
    const { link, part: first } = box;
    const keyOf = (part: number) => mailParts.key(to, this.#own, link, part);
    const readBefore = first + parts.length - maxUnread;
    for (const end = performance.now() + unreadMs; performance.now() < end;) {
      if (this.#closed.signal.aborted || this.#outboxes.get(to) !== box) return;
      const { ok } = await this.#store.atomic((operation) => {
        if (readBefore >= 0) operation.check({ key: keyOf(readBefore), versionstamp: null });
        for (const [index, part] of parts.entries()) operation.set(keyOf(first + index), part);
        return mailCalls.put(operation, [to], Date.now());
      });
      if (ok) {
        box.part += parts.length;
        return;
      }
      await delay(unreadPauseMs, this.#closed.signal);
    }
    throw new Error("Cannot send mail: nobody reads it");
  }

  /** Ends a link: what waits on it is not sent, and the next message begins another one. */
  #break(to: string, box: Outbox): void {
    if (this.#outboxes.get(to) !== box) return;
    this.#outboxes.delete(to);
    if (!this.#closed.signal.aborted) this.#reader?.lose(to);
  }

  async #readAll(): Promise<void> {
    while (this.#isCalled && this.#reader) {
      this.#isCalled = false;
      const prefix = mailParts.prefix(this.#own);
      for await (const some of inParts<MailPart>(this.#store, prefix, { size: partsRead })) {
        for (const { key, value } of some) this.#take(mailParts.idOf({ key }), value);
        await this.#store.atomic((operation) => {
          for (const { key } of some) operation.delete(key);
          return operation;
        });
      }
    }
  }

  #take([, from, link, part]: ReturnType<typeof mailParts.idOf>, value: MailPart): void {
    const id = `${from} ${link}`;
    const box = this.#inboxes.get(id) ?? { next: part, pieces: [] };
    this.#inboxes.set(id, box);
    // It was read before, and could not be removed.
    if (part < box.next) return;
    const isLost = part > box.next;
    box.next = part + 1;
    if (isLost) {
      box.pieces = [];
      this.#reader?.lose(from);
    }
    if ("messages" in value) return value.messages.forEach((bytes) => this.#hand(bytes, from));
    if (value.at === 0) box.pieces = [];
    else if (value.at !== box.pieces.length) return;
    box.pieces.push(value.piece);
    if (!value.isLast) return;
    const bytes = joined(box.pieces);
    box.pieces = [];
    this.#hand(bytes, from);
  }

  #hand(bytes: Uint8Array, from: string): void {
    let message: unknown;
    try {
      message = decoding.readAny(decoding.createDecoder(bytes));
    } catch {
      return this.#reader?.lose(from);
    }
    this.#reader?.take(message, from);
  }
}

/** Messages as parts, in their order. */
function partsOf(messages: readonly Uint8Array<ArrayBuffer>[]): MailPart[] {
  const parts: MailPart[] = [];
  let some: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const end = () => {
    if (some.length > 0) parts.push({ messages: some });
    [some, size] = [[], 0];
  };
  for (const message of messages) {
    const length = message.length + messageOverhead;
    if (size + length > maxPartBytes) end();
    if (length <= maxPartBytes) {
      some.push(message);
      size += length;
      continue;
    }
    for (let at = 0, from = 0; from < message.length; at++, from += maxPartBytes) {
      const isLast = from + maxPartBytes >= message.length;
      parts.push({ piece: message.slice(from, from + maxPartBytes), at, isLast });
    }
  }
  end();
  return parts;
}

/** Removes mail to threads that were written to long ago: they do not read any more. */
export async function removeOldMail(store: Store, now: number): Promise<void> {
  for (const entry of await mailCalls.entries(store)) {
    if (!mailCalls.declared.expires?.(entry.value, now)) continue;
    const { ok } = await store.atomic((operation) => mailCalls.drop(operation, entry));
    if (!ok) continue;
    const [thread] = mailCalls.idOf(entry);
    for await (
      const some of inParts<MailPart>(store, mailParts.prefix(thread), { size: partsRead })
    ) {
      await store.atomic((operation) => {
        for (const { key } of some) operation.delete(key);
        return operation;
      });
    }
  }
}
