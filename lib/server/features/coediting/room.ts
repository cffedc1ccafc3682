import * as decoding from "lib0/decoding";
import * as syncing from "y-protocols/sync";
import * as Y from "yjs";
import {
  awarenessMessage,
  cursorColors,
  type Ended,
  endedMessage,
  heartbeatMs,
  keptMessage,
  maxAwarenessBytes,
  maxMembers,
  presentMessage,
  readMessage,
  savedMessage,
  type ShownUser,
  syncMessage,
  syncSteps,
} from "../../../shared/coediting.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { Grant } from "./grants.ts";
import { Presences } from "./presences.ts";
import { RoomText } from "./room_text.ts";

/** Who comes into a room. */
export interface Joining {
  grant: Grant;
  /** The name of the user, or that which a visitor has given; "" for none. */
  name: string;
  right: "view" | "edit";
  /** Tells the pages of a user apart: a connection of the same page takes the place of the other. */
  page: string;
  /** The history that the page has; null for one that has none yet. */
  document: string | null;
}

/** How a room reaches a member. */
export interface MemberLine {
  send(message: Uint8Array<ArrayBuffer>): void;
  /** Tells why, and closes the connection. */
  end(ended: Omit<Ended, "closing">): void;
}

/** A member of a room. */
export interface Seat extends Joining {
  id: number;
  line: MemberLine;
  /** Messages with changes that have come, and those that are durable. */
  received: number;
  kept: number;
  /** How often it has asked for what it lacks. */
  asked: number;
}

/** Refused changes of one who only views, after which the connection is closed. */
const maxRefused = 20;

/** How often a member may ask for all that it lacks: pages do once. */
const maxAsked = 20;

/** How long a room stays open without members that could not save, in milliseconds: the log stays. */
const maxUnsavedMs = 10 * 60_000;

/** Interval of looks at the file, in milliseconds. */
const lookMs = 1_000;

/**
 * A text that is open, with its members: what one writes goes to all others, and into the log; what
 * is in the log is acknowledged. {@linkcode RoomText} reads and saves it.
 */
export class Room {
  readonly #seats = new Set<Seat>();
  readonly #refused = new WeakMap<Seat, number>();
  readonly #presences = new Presences<Seat>((seat) => shownUser(seat));
  readonly #text: RoomText;
  readonly #onClose: () => void | Promise<void>;
  #timer: ReturnType<typeof setInterval> | undefined;
  #nextId = 1;
  #toldAt = performance.now();
  #emptySince = performance.now();
  #isClosed = false;
  #closing: Promise<void> | null = null;

  /**
   * @param open opens the text of the room, which calls back for what its members are to know
   * @param onClose called once, when the room is closed
   */
  private constructor(text: RoomText, onClose: () => void | Promise<void>) {
    this.#text = text;
    this.#onClose = onClose;
  }

  /**
   * Opens a room for its first member.
   *
   * @throws DomainError as `RoomText.open()`
   */
  static async open(
    options: Omit<Parameters<typeof RoomText.open>[0], "room">,
    first: Grant,
    onClose: () => void | Promise<void>,
  ): Promise<Room> {
    let room: Room | null = null;
    const withRoom = (act: (room: Room) => void) => void (room && act(room));
    const text = await RoomText.open({
      ...options,
      room: {
        changed: (update, origin) => withRoom((room) => room.#tellChange(update, origin)),
        saved: () => withRoom((room) => room.#tellSaved()),
        failed: (ended) => withRoom((room) => room.#tellFailure(ended)),
        kept: () => withRoom((room) => room.#tellKept()),
        ended: (ended) => withRoom((room) => void room.close(ended)),
        members: () => room?.members() ?? [],
      },
    }, first);
    const opened = room = new Room(text, onClose);
    opened.#timer = setInterval(() => opened.#look(), lookMs);
    return opened;
  }

  /** How much memory the text takes, in bytes. */
  get size(): number {
    return this.#text.size;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** How many are in. */
  get count(): number {
    return this.#seats.size;
  }

  /**
   * Lets somebody in.
   *
   * @throws DomainError `throttled` when it is full; `precondition_failed` for a page with another
   * history; `busy` while the room closes
   */
  join(joining: Joining, line: MemberLine): Seat {
    if (this.#isClosed) throw new DomainError("busy", "Cannot edit the text: it is closing", 1);
    if (joining.document !== null && joining.document !== this.#text.document) {
      throw new DomainError(
        "precondition_failed",
        "Cannot merge the changes: the text was closed meanwhile, and its history is gone",
      );
    }
    for (const seat of this.#seats) {
      if (isSamePage(seat, joining)) this.#replace(seat);
    }
    if (this.#seats.size >= maxMembers) {
      throw new DomainError("throttled", "Cannot edit the text: too many are in it", 30);
    }
    const seat: Seat = { ...joining, id: this.#nextId++, line, received: 0, kept: 0, asked: 0 };
    this.#seats.add(seat);
    line.send(savedMessage(this.#text.saved));
    if (seat.right === "edit") this.#askMissing(seat);
    const present = this.#presences.all();
    if (present) line.send(awarenessMessage(present));
    this.#tellPresent();
    if (this.#text.failure) line.send(endedMessage(this.#text.failure));
    if (seat.right === "edit") this.#text.continueSaving();
    return seat;
  }

  /** Somebody has left. What was written is saved when it was the last one. */
  leave(seat: Seat): void {
    if (!this.#seats.delete(seat)) return;
    const update = this.#presences.remove(seat);
    if (update) this.#tellOthers(seat, awarenessMessage(update));
    this.#tellPresent();
    if (this.#seats.size > 0 || this.#isClosed) return;
    this.#emptySince = performance.now();
    this.#text.saveSoon(false);
    this.#look();
  }

  /** A member may do more or less than before. */
  setRight(seat: Seat, right: Seat["right"]): void {
    if (seat.right === right || !this.#seats.has(seat)) return;
    seat.right = right;
    // What a page has kept for itself while it only viewed.
    if (right === "edit") this.#askMissing(seat);
    this.#tellPresent();
  }

  /** Takes messages of a member, whose right was asked just now. */
  receive(seat: Seat, messages: readonly Uint8Array[]): void {
    if (!this.#seats.has(seat)) return;
    for (const message of messages) {
      try {
        this.#receive(seat, message);
      } catch (error) {
        const refusal = error instanceof DomainError ? error : damagedError();
        const { code, message, retryAfter } = refusal;
        seat.line.end({ code, message, ...retryAfter !== undefined && { retryAfter } });
        this.leave(seat);
        return;
      }
    }
  }

  /** What all are in by, first those who may change the text. */
  members(): Grant[] {
    const rank = ({ right }: Seat) => right === "edit" ? 0 : 1;
    return [...this.#seats].sort((a, b) => rank(a) - rank(b)).map(({ grant }) => grant);
  }

  /**
   * Saves, and closes the room. The log stays, for pages that come back.
   *
   * @param ended what the members are told
   */
  close(ended: Omit<Ended, "closing">): Promise<void> {
    return this.#closing ??= this.#close(ended);
  }

  async #close(ended: Omit<Ended, "closing">): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const seat of this.#seats) seat.line.end(ended);
    this.#seats.clear();
    await this.#text.close();
    await this.#onClose();
  }

  #receive(seat: Seat, bytes: Uint8Array): void {
    const message = readMessage(bytes);
    switch (message.kind) {
      case "sync":
        return this.#sync(seat, message);
      case "awareness":
        return this.#place(seat, message.update);
      case "saveNow":
        if (seat.right === "edit") this.#text.saveSoon(true);
        else this.#refuse(seat);
        return;
      default:
        throw damagedError();
    }
  }

  #sync(seat: Seat, { step, payload }: { step: number; payload: Uint8Array }): void {
    const decoder = decoding.createDecoder(payload);
    decoding.readVarUint(decoder);
    const content = decoding.readVarUint8Array(decoder);
    if (step === syncSteps.askMissing) {
      if (++seat.asked > maxAsked) {
        throw new DomainError(
          "throttled",
          "Cannot send the text again: it was asked for too often",
        );
      }
      // The vector comes from outside.
      Y.decodeStateVector(content);
      seat.line.send(
        syncMessage((encoder) => syncing.writeSyncStep2(encoder, this.#text.doc, content)),
      );
      return;
    }
    if (step !== syncSteps.sendMissing && step !== syncSteps.update) throw damagedError();
    if (seat.right !== "edit") return this.#refuse(seat);
    const isForeign = (client: number) => {
      const other = this.#presences.memberOf(client);
      const isOther = other !== undefined && other !== seat && !isSameUser(other, seat);
      return step === syncSteps.update && isOther;
    };
    const durable = this.#text.change(content, seat, isForeign);
    const count = ++seat.received;
    durable.then(() => this.#keep(seat, count), () => {});
  }

  #place(seat: Seat, update: Uint8Array): void {
    if (update.length > maxAwarenessBytes) return;
    const client = this.#presences.clientIn(seat, update);
    const holder = client === null ? undefined : this.#presences.memberOf(client);
    // The connection of the same page, which has broken off without its end being known.
    if (holder && holder !== seat && isSameUser(holder, seat)) this.#replace(holder);
    const told = this.#presences.take(seat, update);
    if (told) this.#tellOthers(seat, awarenessMessage(told));
  }

  #replace(seat: Seat): void {
    seat.line.end({ code: "exists", message: "Another connection of the same page is open" });
    this.leave(seat);
  }

  /** A change of one who only views is never applied. */
  #refuse(seat: Seat): void {
    const count = (this.#refused.get(seat) ?? 0) + 1;
    this.#refused.set(seat, count);
    const refusal = { code: "read_only", message: "Cannot change the text: you may only view it" };
    if (count > maxRefused) throw new DomainError("read_only", refusal.message);
    if (count === 1) {
      seat.line.send(endedMessage({ ...refusal, code: "read_only", closing: false }));
    }
  }

  #askMissing(seat: Seat): void {
    seat.line.send(syncMessage((encoder) => syncing.writeSyncStep1(encoder, this.#text.doc)));
  }

  #keep(seat: Seat, count: number): void {
    if (count <= seat.kept) return;
    seat.kept = count;
    seat.line.send(keptMessage(count));
  }

  #tellKept(): void {
    for (const seat of this.#seats) this.#keep(seat, seat.received);
  }

  #tellChange(update: Uint8Array, origin: unknown): void {
    const message = syncMessage((encoder) => syncing.writeUpdate(encoder, update));
    for (const seat of this.#seats) if (seat !== origin) seat.line.send(message);
  }

  #tellOthers(seat: Seat, message: Uint8Array<ArrayBuffer>): void {
    for (const other of this.#seats) if (other !== seat) other.line.send(message);
  }

  #tellSaved(): void {
    const message = savedMessage(this.#text.saved);
    for (const seat of this.#seats) seat.line.send(message);
  }

  /** Those are told, too, who have written and may only view now. */
  #tellFailure(ended: Ended): void {
    for (const seat of this.#seats) {
      if (seat.right === "edit" || seat.received > 0) seat.line.send(endedMessage(ended));
    }
  }

  #tellPresent(): void {
    this.#toldAt = performance.now();
    const present = [...this.#seats].map((seat) => {
      const { colorLight: _, ...user } = shownUser(seat);
      return { ...user, right: seat.right };
    });
    for (const seat of this.#seats) {
      seat.line.send(presentMessage(present.map((one) => ({ ...one, self: one.id === seat.id }))));
    }
  }

  #look(): void {
    const now = performance.now();
    if (now - this.#toldAt >= heartbeatMs && this.#seats.size > 0) this.#tellPresent();
    // While the store is away, the next look tries again.
    this.#text.look().catch(() => {}).then(() => {
      const isOver = this.#text.isSaved || now - this.#emptySince >= maxUnsavedMs;
      if (this.#seats.size > 0 || !isOver || this.#isClosed) return;
      return this.close({ code: "busy", message: "The text is closing" });
    }).catch(() => {});
  }
}

function shownUser({ grant, id, name }: Seat): ShownUser {
  const color = cursorColors[id % cursorColors.length] ?? cursorColors[0];
  const guest = !grant.session && { guest: true } as const;
  return { id, name, ...guest, color, colorLight: `${color}33` };
}

function isSameUser({ grant: a }: Joining, { grant: b }: Joining): boolean {
  return a.session !== undefined && a.session.userId === b.session?.userId &&
    a.share?.hash === b.share?.hash;
}

function isSamePage(a: Joining, b: Joining): boolean {
  if (a.page === "" || a.page !== b.page) return false;
  const isVisitor = a.grant.session === undefined && b.grant.session === undefined;
  return isSameUser(a, b) || isVisitor && a.grant.share?.hash === b.grant.share?.hash;
}

function damagedError(): DomainError {
  return new DomainError("invalid_body", "Cannot read the message: it is damaged");
}
