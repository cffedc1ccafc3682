import type { Ended } from "../../../shared/coediting.ts";
import { DomainError, type ErrorCode } from "../../../shared/errors.ts";
import type { Joining, MemberLine } from "./room.ts";
import type { MailReader, RoomMail } from "./room_mail.ts";
import type { RoomOwner } from "./room_records.ts";

/** How long another thread may take to let somebody in, in milliseconds. */
const joinMs = 10_000;

/** What the thread of a connection tells the thread that owns its room. */
type ToOwner =
  | { kind: "join"; line: string; from: RoomOwner; room: string; joining: Joining }
  | { kind: "messages"; line: string; messages: Uint8Array[]; right: Joining["right"] }
  | { kind: "right"; line: string; right: Joining["right"] }
  | { kind: "leave"; line: string };

/** What it is told. */
type ToMember =
  | { kind: "joined"; line: string }
  | { kind: "refused"; line: string; code: ErrorCode; message: string; retryAfter?: number }
  | { kind: "send"; line: string; message: Uint8Array<ArrayBuffer> }
  | { kind: "end"; line: string; ended: Omit<Ended, "closing"> };

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
  joined: PromiseWithResolvers<void>;
}

/** A member of a room here: on the way in at first, null once it is refused. */
interface NearSeat {
  seat: Promise<FarSeat | null>;
  from: RoomOwner;
}

/** Lets a member of another thread into a room of this one. @throws DomainError */
export type Admit = (room: string, joining: Joining, line: MemberLine) => Promise<FarSeat>;

/**
 * Between threads: a room is in one of them, and connections are in any. Each thread of a process
 * listens on a channel of its own; those of other servers are reached by mail. Messages of one
 * connection arrive in their order.
 */
export class RoomChannel implements MailReader {
  readonly #own: RoomOwner;
  readonly #prefix: string;
  readonly #admit: Admit;
  readonly #mail: RoomMail | null;
  readonly #incoming: BroadcastChannel;
  readonly #outgoing = new Map<string, BroadcastChannel>();
  readonly #lines = new Map<string, NearLine>();
  readonly #seats = new Map<string, NearSeat>();

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
    this.#incoming.onmessage = ({ data }: MessageEvent<ToOwner | ToMember>) => this.#take(data);
    mail?.listen(this);
  }

  /** Whether a thread can be reached. */
  reaches({ node }: RoomOwner): boolean {
    return this.#mail !== null || node === this.#own.node;
  }

  /**
   * Enters a room of another thread.
   *
   * @throws DomainError as `Room.join()`; `busy` when that thread does not answer
   */
  async join(
    owner: RoomOwner,
    room: string,
    joining: Joining,
    line: MemberLine,
  ): Promise<FarSeat> {
    const id = crypto.randomUUID();
    const joined = Promise.withResolvers<void>();
    this.#lines.set(id, { line, joined, owner });
    const limit = setTimeout(() => {
      joined.reject(new DomainError("busy", "Cannot edit the text: its thread is busy", 1));
    }, joinMs);
    const leave = () => {
      if (this.#lines.delete(id)) this.#post(owner, leaving(id));
    };
    this.#post(owner, { kind: "join", line: id, from: this.#own, room, joining });
    try {
      await joined.promise;
    } catch (error) {
      leave();
      throw error;
    } finally {
      clearTimeout(limit);
    }
    return {
      receive: (messages, right) =>
        this.#post(owner, { kind: "messages", line: id, messages, right }),
      setRight: (right) => this.#post(owner, { kind: "right", line: id, right }),
      leave,
    };
  }

  take(message: unknown, from: string): void {
    // Only servers on this store write mail.
    this.#take(message as ToOwner | ToMember, from);
  }

  /** Ends what goes on with a thread of another server: its members come back. */
  lose(thread: string): void {
    const ended = {
      code: "busy",
      message: "Cannot edit the text: the other server does not answer",
      retryAfter: 1,
    } as const;
    for (const { line, joined, owner } of [...this.#lines.values()]) {
      if (owner.thread !== thread) continue;
      joined.reject(new DomainError(ended.code, ended.message, ended.retryAfter));
      line.end(ended);
    }
    for (const [line, { from }] of [...this.#seats]) {
      if (from.thread !== thread) continue;
      this.#withSeat(line, (seat) => seat.leave());
      this.#seats.delete(line);
      this.#post(from, { kind: "end", line, ended });
    }
  }

  /** Looks for mail, and for servers that have gone. */
  async look(isAlive: (thread: RoomOwner) => Promise<boolean>): Promise<void> {
    if (!this.#mail) return;
    this.#mail.look();
    const used = [
      ...[...this.#lines.values()].map(({ owner }) => owner),
      ...[...this.#seats.values()].map(({ from }) => from),
    ].filter(({ node }) => node !== this.#own.node);
    for (const peer of new Map(used.map((peer) => [peer.thread, peer])).values()) {
      if (!await isAlive(peer)) this.lose(peer.thread);
    }
  }

  close(): void {
    this.#mail?.rest();
    for (const { joined } of this.#lines.values()) {
      joined.promise.catch(() => {});
      joined.reject(new DomainError("busy", "Cannot edit the text: the server is stopping", 2));
    }
    this.#lines.clear();
    this.#incoming.close();
    for (const channel of this.#outgoing.values()) channel.close();
    this.#outgoing.clear();
  }

  /** @param sender of mail */
  #take(told: ToOwner | ToMember, sender?: string): void {
    switch (told.kind) {
      case "join":
        return this.#letIn(told);
      case "messages":
        return this.#withSeat(told.line, (seat) => seat.receive(told.messages, told.right));
      case "right":
        return this.#withSeat(told.line, (seat) => seat.setRight(told.right));
      case "leave":
        this.#withSeat(told.line, (seat) => seat.leave());
        this.#seats.delete(told.line);
        return;
      case "joined":
      case "send": {
        const near = this.#lines.get(told.line);
        // A join that came after it was given up.
        if (!near && sender !== undefined) this.#mail?.post(sender, leaving(told.line));
        if (told.kind === "joined") near?.joined.resolve();
        else near?.line.send(told.message);
        return;
      }
      case "refused": {
        const { code, message, retryAfter } = told;
        return this.#lines.get(told.line)?.joined.reject(
          new DomainError(code, message, retryAfter),
        );
      }
      case "end":
        return this.#lines.get(told.line)?.line.end(told.ended);
    }
  }

  #letIn({ line: id, from, room, joining }: Extract<ToOwner, { kind: "join" }>): void {
    const line: MemberLine = {
      send: (message) => this.#post(from, { kind: "send", line: id, message }),
      end: (ended) => this.#post(from, { kind: "end", line: id, ended }),
    };
    const seat = this.#admit(room, joining, line).then((seat) => {
      this.#post(from, { kind: "joined", line: id });
      return seat;
    }, (error) => {
      const { code, message, retryAfter } = error instanceof DomainError
        ? error
        : new DomainError("internal", "Cannot edit the text: the server failed");
      this.#post(from, {
        ...{ kind: "refused", line: id, code, message },
        ...retryAfter !== undefined && { retryAfter },
      });
      this.#seats.delete(id);
      return null;
    });
    this.#seats.set(id, { seat, from });
  }

  /** Does something with a member who may still be on the way in. */
  #withSeat(id: string, act: (seat: FarSeat) => void): void {
    void this.#seats.get(id)?.seat.then((seat) => seat && act(seat));
  }

  #post({ node, thread }: RoomOwner, message: ToOwner | ToMember): void {
    if (node !== this.#own.node) return this.#mail?.post(thread, message);
    let channel = this.#outgoing.get(thread);
    if (!channel) {
      channel = new BroadcastChannel(this.#prefix + thread);
      this.#outgoing.set(thread, channel);
    }
    try {
      channel.postMessage(message);
    } catch {
      // It was closed: the connections end with it.
    }
  }
}

function leaving(line: string): ToOwner {
  return { kind: "leave", line };
}
