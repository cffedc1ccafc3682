import type { Ended } from "../../../shared/coediting.ts";
import { DomainError, type ErrorCode } from "../../../shared/errors.ts";
import type { Joining, MemberLine } from "./room.ts";
import type { MailReader, RoomMail } from "./room_mail.ts";
import type { RoomOwner } from "./room_records.ts";

/** How long another thread may take to let somebody in, in milliseconds. */
const joinMs = 10_000;

/** What the thread of a connection tells the thread that owns its room. */
type ToOwner =
  | { kind: "join"; room: string; joining: Joining }
  | { kind: "messages"; messages: Uint8Array[]; right: Joining["right"] }
  | { kind: "right"; right: Joining["right"] }
  | { kind: "leave" };

/** What it is told. */
type ToMember =
  | { kind: "joined" }
  | { kind: "refused"; code: ErrorCode; message: string; retryAfter?: number }
  | { kind: "send"; message: Uint8Array<ArrayBuffer> }
  | { kind: "end"; ended: Omit<Ended, "closing"> };

/** A message about one connection. */
type Told<Message> = Message & {
  line: string;
  from: RoomOwner;
  /** Its number among those of this sender about this connection. */
  part: number;
};

/** How many messages about a connection were sent to its other side, and have come from there. */
interface Parts {
  sent: number;
  heard: number;
}

/** A member of a room here, whose connection is in another thread. */
export interface FarSeat {
  receive(messages: Uint8Array[], right: Joining["right"]): void;
  setRight(right: Joining["right"]): void;
  leave(): void;
}

/** A connection here, whose room is in another thread. */
interface NearLine {
  line: MemberLine;
  owner: RoomOwner;
  parts: Parts;
  joined: PromiseWithResolvers<void>;
  /** What has come before the member was in; null once it is. */
  early: Uint8Array<ArrayBuffer>[] | null;
}

/** A member of a room here: on the way in at first, null once it is refused. */
interface NearSeat {
  seat: Promise<FarSeat | null>;
  from: RoomOwner;
  parts: Parts;
}

/** A channel to another thread of this process, and what is sent there by the next message. */
interface Outgoing {
  channel: BroadcastChannel;
  waiting: Told<ToOwner | ToMember>[];
}

/** Lets a member of another thread into a room of this one. @throws DomainError */
export type Admit = (room: string, joining: Joining, line: MemberLine) => Promise<FarSeat>;

/**
 * Between threads: a room is in one of them, and connections are in any. Each thread of a process
 * listens on a channel of its own; those of other servers are reached by mail. Messages of one
 * connection arrive in their order. They are numbered: Deno drops messages to a thread that is more
 * than 256 behind, and a connection of which one is missing is ended, so that its page comes back.
 */
export class RoomChannel implements MailReader {
  readonly #own: RoomOwner;
  readonly #prefix: string;
  readonly #admit: Admit;
  readonly #mail: RoomMail | null;
  readonly #incoming: BroadcastChannel;
  readonly #outgoing = new Map<string, Outgoing>();
  readonly #lines = new Map<string, NearLine>();
  readonly #seats = new Map<string, NearSeat>();
  #isClosed = false;

  /**
   * @param root the served folder, by which the threads of a server find each other
   * @param own this thread
   * @param mail to the threads of other servers; null where none are on the store
   */
  constructor(root: string, own: RoomOwner, admit: Admit, mail: RoomMail | null) {
    this.#own = own;
    this.#prefix = `cubby-coediting ${root} `;
    this.#admit = admit;
    this.#mail = mail;
    this.#incoming = new BroadcastChannel(this.#prefix + own.thread);
    this.#incoming.onmessage = ({ data }: MessageEvent<Told<ToOwner | ToMember>[]>) =>
      data.forEach((told) => this.#take(told));
    mail?.listen(this);
  }

  /** Whether a thread can be reached. */
  reaches({ node }: RoomOwner): boolean {
    return this.#mail !== null || node === this.#own.node;
  }

  /**
   * Enters a room of another thread.
   *
   * @throws DomainError as `Room.join()`; `busy` when that thread does not answer, or has gone
   */
  async join(
    owner: RoomOwner,
    room: string,
    joining: Joining,
    line: MemberLine,
  ): Promise<FarSeat> {
    const id = crypto.randomUUID();
    const joined = Promise.withResolvers<void>();
    const parts: Parts = { sent: 0, heard: 0 };
    this.#lines.set(id, { line, joined, owner, parts, early: [] });
    const tell = (message: ToOwner) => this.#tell(owner, id, parts, message);
    const limit = setTimeout(() => {
      joined.reject(new DomainError("busy", "Cannot edit the text: its thread is busy", 1));
    }, joinMs);
    const leave = () => {
      if (this.#lines.delete(id)) tell({ kind: "leave" });
    };
    tell({ kind: "join", room, joining });
    try {
      await joined.promise;
    } catch (error) {
      leave();
      throw error;
    } finally {
      clearTimeout(limit);
    }
    return {
      receive: (messages, right) => tell({ kind: "messages", messages, right }),
      setRight: (right) => tell({ kind: "right", right }),
      leave,
    };
  }

  take(message: unknown): void {
    // Only servers on this store write mail.
    this.#take(message as Told<ToOwner | ToMember>);
  }

  /** Ends all exchange with a thread that is lost: its members come back. */
  lose(thread: string): void {
    for (const near of [...this.#lines.values()]) {
      if (near.owner.thread === thread) endLine(near, lost);
    }
    for (const [line, near] of [...this.#seats]) {
      if (near.from.thread === thread) this.#unseat(line, near);
    }
  }

  /** Looks for mail, and for threads that have gone. */
  async look(isAlive: (thread: RoomOwner) => Promise<boolean>): Promise<void> {
    this.#mail?.look();
    const used = [
      ...[...this.#lines.values()].map(({ owner }) => owner),
      ...[...this.#seats.values()].map(({ from }) => from),
    ];
    const peers = new Map(used.map((peer) => [peer.thread, peer]));
    await Promise.all([...peers.values()].map(async (peer) => {
      if (!await isAlive(peer)) this.lose(peer.thread);
    }));
  }

  close(): void {
    this.#isClosed = true;
    this.#mail?.rest();
    for (const { joined } of this.#lines.values()) {
      joined.promise.catch(() => {});
      joined.reject(new DomainError("busy", "Cannot edit the text: the server is stopping", 2));
    }
    this.#lines.clear();
    this.#incoming.close();
    for (const outgoing of this.#outgoing.values()) {
      send(outgoing);
      outgoing.channel.close();
    }
    this.#outgoing.clear();
  }

  #take(told: Told<ToOwner | ToMember>): void {
    switch (told.kind) {
      case "join":
        return this.#letIn(told);
      case "messages":
      case "right":
      case "leave":
        return this.#takeFromMember(told);
      default:
        return this.#takeFromOwner(told);
    }
  }

  #takeFromMember(told: Told<Exclude<ToOwner, { kind: "join" }>>): void {
    const { line, from } = told;
    const near = this.#seats.get(line);
    if (told.kind === "leave") {
      this.#seats.delete(line);
      return void near?.seat.then((seat) => seat?.leave());
    }
    // It was ended, and that was lost.
    if (!near) return this.#tell(from, line, { sent: 0, heard: 0 }, { kind: "end", ended: lost });
    if (told.part !== near.parts.heard++) return this.#unseat(line, near);
    void near.seat.then((seat) => {
      if (told.kind === "right") seat?.setRight(told.right);
      else seat?.receive(told.messages, told.right);
    });
  }

  #takeFromOwner(told: Told<ToMember>): void {
    const { line, from } = told;
    const near = this.#lines.get(line);
    if (!near) {
      // Its leaving was lost, or it was let in after it had given up.
      if (told.kind === "refused" || told.kind === "end") return;
      return this.#tell(from, line, { sent: 0, heard: 0 }, { kind: "leave" });
    }
    if (told.kind === "end") return endLine(near, told.ended);
    if (told.part !== near.parts.heard++) return endLine(near, lost);
    switch (told.kind) {
      case "joined":
        for (const message of near.early ?? []) near.line.send(message);
        near.early = null;
        return near.joined.resolve();
      case "send":
        if (near.early) near.early.push(told.message);
        else near.line.send(told.message);
        return;
      case "refused": {
        const { code, message, retryAfter } = told;
        return near.joined.reject(new DomainError(code, message, retryAfter));
      }
    }
  }

  #letIn({ line: id, from, room, joining }: Told<Extract<ToOwner, { kind: "join" }>>): void {
    const parts: Parts = { sent: 0, heard: 1 };
    const tell = (message: ToMember) => this.#tell(from, id, parts, message);
    const line: MemberLine = {
      send: (message) => tell({ kind: "send", message }),
      end: (ended) => tell({ kind: "end", ended }),
    };
    const seat = this.#admit(room, joining, line).then((seat) => {
      tell({ kind: "joined" });
      return seat;
    }, (error) => {
      const { code, message, retryAfter } = error instanceof DomainError
        ? error
        : new DomainError("internal", "Cannot edit the text: the server failed");
      tell({
        ...{ kind: "refused", code, message },
        ...retryAfter !== undefined && { retryAfter },
      });
      this.#seats.delete(id);
      return null;
    });
    this.#seats.set(id, { seat, from, parts });
  }

  /** Takes the seat of a member whose messages are lost; its page comes back. */
  #unseat(line: string, { seat, from, parts }: NearSeat): void {
    this.#seats.delete(line);
    void seat.then((seat) => seat?.leave());
    this.#tell(from, line, parts, { kind: "end", ended: lost });
  }

  #tell(to: RoomOwner, line: string, parts: Parts, message: ToOwner | ToMember): void {
    this.#post(to, { ...message, line, from: this.#own, part: parts.sent++ });
  }

  #post({ node, thread }: RoomOwner, told: Told<ToOwner | ToMember>): void {
    if (node !== this.#own.node) return this.#mail?.post(thread, told);
    if (this.#isClosed) return;
    let outgoing = this.#outgoing.get(thread);
    if (!outgoing) {
      outgoing = { channel: new BroadcastChannel(this.#prefix + thread), waiting: [] };
      this.#outgoing.set(thread, outgoing);
    }
    // A change that goes to many is one message to their thread, which is behind less soon.
    if (outgoing.waiting.push(told) === 1) queueMicrotask(() => send(outgoing));
  }
}

function send({ channel, waiting }: Outgoing): void {
  if (waiting.length > 0) channel.postMessage(waiting.splice(0));
}

/** What members are told of whom, or of whose messages, something is lost. */
const lost = {
  code: "busy",
  message: "Cannot edit the text: its thread, or the other server, does not answer",
  retryAfter: 1,
} as const;

/** One who is still on the way in may try another way. */
function endLine({ early, joined, line }: NearLine, ended: Omit<Ended, "closing">): void {
  if (early === null) line.end(ended);
  else joined.reject(new DomainError(ended.code, ended.message, ended.retryAfter));
}
