import type { Ended } from "../../../shared/coediting.ts";
import { DomainError, type ErrorCode } from "../../../shared/errors.ts";
import type { Joining, MemberLine } from "./room.ts";

/** How long another thread may take to let somebody in, in milliseconds. */
const joinMs = 10_000;

/** What the thread of a connection tells the thread that owns its room. */
type ToOwner =
  | { kind: "join"; line: string; from: string; room: string; joining: Joining }
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
  joined: PromiseWithResolvers<void>;
}

/** Lets a member of another thread into a room of this one. @throws DomainError */
export type Admit = (room: string, joining: Joining, line: MemberLine) => Promise<FarSeat>;

/**
 * Between the threads of a process: a room is in one of them, and connections are in any. Each thread
 * listens on a channel of its own. Messages of one connection arrive in their order.
 */
export class RoomChannel {
  readonly #own: string;
  readonly #prefix: string;
  readonly #admit: Admit;
  readonly #incoming: BroadcastChannel;
  readonly #outgoing = new Map<string, BroadcastChannel>();
  readonly #lines = new Map<string, NearLine>();
  readonly #seats = new Map<string, Promise<FarSeat | null>>();

  /**
   * @param root the served folder, by which the threads of a server find each other
   * @param own the name of this thread
   */
  constructor(root: string, own: string, admit: Admit) {
    this.#own = own;
    this.#prefix = `cubby-coediting ${root} `;
    this.#admit = admit;
    this.#incoming = new BroadcastChannel(this.#prefix + own);
    this.#incoming.onmessage = ({ data }: MessageEvent<ToOwner | ToMember>) => this.#take(data);
  }

  /**
   * Enters a room of another thread.
   *
   * @throws DomainError as `Room.join()`; `busy` when that thread does not answer
   */
  async join(owner: string, room: string, joining: Joining, line: MemberLine): Promise<FarSeat> {
    const id = crypto.randomUUID();
    const joined = Promise.withResolvers<void>();
    this.#lines.set(id, { line, joined });
    const limit = setTimeout(() => {
      joined.reject(new DomainError("busy", "Cannot edit the text: its thread is busy", 1));
    }, joinMs);
    const leave = () => {
      if (this.#lines.delete(id)) this.#post(owner, { kind: "leave", line: id });
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

  close(): void {
    for (const { joined } of this.#lines.values()) {
      joined.promise.catch(() => {});
      joined.reject(new DomainError("busy", "Cannot edit the text: the server is stopping", 2));
    }
    this.#lines.clear();
    this.#incoming.close();
    for (const channel of this.#outgoing.values()) channel.close();
    this.#outgoing.clear();
  }

  #take(told: ToOwner | ToMember): void {
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
        return this.#lines.get(told.line)?.joined.resolve();
      case "refused": {
        const { code, message, retryAfter } = told;
        return this.#lines.get(told.line)?.joined.reject(
          new DomainError(code, message, retryAfter),
        );
      }
      case "send":
        return this.#lines.get(told.line)?.line.send(told.message);
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
    this.#seats.set(id, seat);
  }

  /** Does something with a member who may still be on the way in. */
  #withSeat(id: string, act: (seat: FarSeat) => void): void {
    void this.#seats.get(id)?.then((seat) => seat && act(seat));
  }

  #post(thread: string, message: ToOwner | ToMember): void {
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
