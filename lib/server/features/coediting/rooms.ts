import { DomainError } from "../../../shared/errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { randomId } from "../../core/kv/random_id.ts";
import type { Store } from "../../core/kv/store.ts";
import type { ConnectionMeter } from "../commands/connection_meters.ts";
import type { Grant } from "./grants.ts";
import { Member, type RoomPort } from "./member.ts";
import type { Joining, MemberLine, Room } from "./room.ts";
import { type FarSeat, RoomChannel } from "./room_channel.ts";
import { removeOldMail, RoomMail } from "./room_mail.ts";
import { type RoomOwner, RoomRecords } from "./room_records.ts";
import type { TextOptions } from "./room_text.ts";

/** Most texts that are open in one thread. */
const maxRooms = 200;

/** Most memory of their documents, in bytes. */
const maxBytes = 256 * 1024 ** 2;

/** Most connections in one thread. */
const maxConnections = 2_000;

/** Most of one user, and of the visitors of one share at one address. */
const maxPerUser = 32;

/** How often a thread shows that it is there while it owns rooms, in milliseconds. */
const leaseEveryMs = 2_000;

/**
 * How long somebody is led from a thread that has gone to the next one, in milliseconds: less than
 * its page waits.
 */
const enterMs = 15_000;

/** How long a stop waits for what is to be saved, in milliseconds. */
const stopMs = 5_000;

/** What rooms are opened with. */
export interface RoomsOptions {
  /** Asked when the first one opens: they are the application. */
  services: () => TextOptions["services"];
  store: Store;
  /** The served folder. */
  root: string;
  /** Names this process among others on one store. */
  node: string;
}

/** Somebody who wants to come in. */
export interface Visitor extends Joining {
  /** Where the file is, below the server's root. */
  place: EntryPath;
}

/**
 * The texts that are edited together. Each is open in one thread, which the store names; the
 * connections of other threads of the process reach it by a channel, and those of other servers by
 * mail in the store. Without any text or connection there is no timer and no channel.
 */
export class Rooms {
  readonly #options: RoomsOptions;
  readonly #thread = randomId(12);
  readonly #mail: RoomMail | null;
  readonly #records: RoomRecords;
  readonly #rooms = new Map<string, Promise<Room>>();
  readonly #opened = new Set<Room>();
  /** The connections, each with whose it is. */
  readonly #members = new Map<Member, string>();
  readonly #onChange = new Set<() => void>();
  #channel: RoomChannel | null = null;
  #leaseTimer: ReturnType<typeof setInterval> | undefined;
  #leasing: Promise<void> | null = null;
  #looking: Promise<void> | null = null;
  #entering = 0;
  #isStopped = false;
  #stopping: Promise<void> | null = null;

  constructor(options: RoomsOptions) {
    this.#options = options;
    const { store, node } = options;
    this.#records = new RoomRecords(store, { node, thread: this.#thread });
    this.#mail = store.network ? new RoomMail(store, this.#thread) : null;
  }

  /**
   * Serves a connection until it ends. Refusals are told on it.
   *
   * @param meter cuts the connection; null where the system cannot
   */
  serve(socket: WebSocket, visitor: Visitor, meter: ConnectionMeter | null): void {
    const key = keyOf(visitor.grant);
    const member = new Member(socket, this.#options.services(), visitor, meter, () => {
      this.#members.delete(member);
      this.#rest();
    });
    const own = [...this.#members.values()].filter((other) => other === key).length;
    const isFull = own >= maxPerUser || this.#members.size >= maxConnections;
    this.#members.set(member, key);
    void member.enter(async (line) => {
      if (isFull) {
        throw new DomainError("throttled", "Cannot edit the text: too many are open", 30);
      }
      return await this.#enter(visitor, line);
    });
  }

  /** Removes the histories of texts that were closed long ago, and mail that none will read. */
  async removeExpired(): Promise<void> {
    await this.#records.removeExpired();
    await removeOldMail(this.#options.store, Date.now());
  }

  /** Saves all texts, ends all connections, and opens none any more. */
  stop(): Promise<void> {
    return this.#stopping ??= this.#stop();
  }

  /** Waits until nothing is open any more, and nothing is written. */
  async settle(): Promise<void> {
    while (this.#rooms.size > 0 || this.#members.size > 0 || this.#entering > 0) {
      const idle = Promise.withResolvers<void>();
      this.#onChange.add(idle.resolve);
      await idle.promise;
    }
    await this.#settled();
  }

  async #stop(): Promise<void> {
    this.#isStopped = true;
    const ended = { code: "busy", message: "The server is stopping", retryAfter: 2 } as const;
    for (const member of [...this.#members.keys()]) member.end(ended);
    const closing = [...this.#rooms.values()].map(async (room) => (await room).close(ended));
    let limit: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([
      Promise.allSettled(closing),
      new Promise<void>((resolve) => limit = setTimeout(resolve, stopMs)),
    ]);
    clearTimeout(limit);
    this.#rest(true);
    await this.#settled();
    await this.#mail?.close();
  }

  async #settled(): Promise<void> {
    await Promise.all([this.#leasing, this.#looking]);
  }

  async #enter({ place, ...joining }: Visitor, line: MemberLine): Promise<RoomPort> {
    this.#entering++;
    try {
      await this.#awake();
      for (const end = performance.now() + enterMs;;) {
        const { id, owner } = await this.#records.claim(place);
        const isOwn = owner.thread === this.#thread;
        try {
          const seat = isOwn
            ? await this.#join(id, joining, line)
            : await this.#joinFar(owner, id, joining, line);
          return { ...seat, place: async () => (await this.#records.get(id))?.place ?? null };
        } catch (error) {
          const isOver = isOwn || this.#isStopped || performance.now() > end;
          if (isOver || !(error instanceof DomainError) || error.code !== "busy") throw error;
          if (!await this.#records.hasLeft(id, owner)) throw error;
        }
      }
    } finally {
      this.#entering--;
      this.#rest();
    }
  }

  async #joinFar(
    owner: RoomOwner,
    id: string,
    joining: Joining,
    line: MemberLine,
  ): Promise<FarSeat> {
    if (this.#channel?.reaches(owner)) {
      return await this.#channel.join(owner, id, joining, line);
    }
    throw new DomainError(
      "busy",
      "Cannot edit the text together: it is open on another server of this site",
      10,
    );
  }

  /** Lets a member of another thread in: this one must not rest meanwhile. */
  async #admit(id: string, joining: Joining, line: MemberLine): Promise<FarSeat> {
    this.#entering++;
    try {
      return await this.#join(id, joining, line);
    } finally {
      this.#entering--;
      // Once the other thread was answered.
      setTimeout(() => this.#rest());
    }
  }

  /** Lets somebody into a room of this thread. */
  async #join(id: string, joining: Joining, line: MemberLine): Promise<FarSeat> {
    const room = await this.#roomOf(id, joining.grant);
    const seat = room.join(joining, line);
    return {
      receive: (messages, right) => {
        room.setRight(seat, right);
        room.receive(seat, messages);
      },
      setRight: (right) => room.setRight(seat, right),
      leave: () => room.leave(seat),
    };
  }

  async #roomOf(id: string, grant: Grant): Promise<Room> {
    for (;;) {
      const known = this.#rooms.get(id);
      if (!known) break;
      const room = await known;
      if (!room.isClosed) return room;
      await room.close({ code: "busy", message: "The text is closing" });
    }
    const isFull = this.#rooms.size >= maxRooms || this.#bytes > maxBytes;
    if (this.#isStopped || isFull) await this.#records.release(id);
    if (this.#isStopped) throw stoppingError();
    if (isFull) {
      throw new DomainError("busy", "Cannot edit the text together: too many texts are open", 30);
    }
    const opening = this.#open(id, grant);
    this.#rooms.set(id, opening);
    opening.then((room) => this.#opened.add(room), () => this.#rooms.delete(id));
    return await opening;
  }

  get #bytes(): number {
    let bytes = 0;
    for (const room of this.#opened) bytes += room.size;
    return bytes;
  }

  async #open(id: string, grant: Grant): Promise<Room> {
    if (!await this.#records.own(id)) {
      throw new DomainError("busy", "Cannot edit the text: it is open elsewhere", 1);
    }
    try {
      // Yjs is most of what it loads, which a server without an open text does not need.
      const { Room } = await import("./room.ts");
      const room: Room = await Room.open(
        {
          services: this.#options.services(),
          records: this.#records,
          ...{ id, thread: this.#thread },
        },
        grant,
        async () => {
          this.#opened.delete(room);
          await this.#records.release(id).catch(() => {});
          this.#rooms.delete(id);
          this.#rest();
        },
      );
      return room;
    } catch (error) {
      await this.#records.release(id).catch(() => {});
      throw error;
    }
  }

  /** Listens to other threads, and shows them that this one is there. */
  async #awake(): Promise<void> {
    if (this.#isStopped) throw stoppingError();
    const { root, node } = this.#options;
    this.#channel ??= new RoomChannel(
      root,
      { node, thread: this.#thread },
      (room, joining, line) => this.#admit(room, joining, line),
      this.#mail,
    );
    if (this.#leaseTimer !== undefined) return await this.#leasing ?? undefined;
    this.#leaseTimer = setInterval(() => {
      // What a slow store has not done yet is not asked for again.
      if (!this.#leasing) void this.#renew();
      this.#look();
    }, leaseEveryMs);
    await this.#renew();
    this.#look();
  }

  #renew(): Promise<void> {
    return this.#changeLease(() => this.#records.renewLease());
  }

  /** Looks for mail, and for threads that have gone; while the store is away, in vain. */
  #look(): void {
    this.#looking ??= this.#channel?.look((thread) => this.#records.isAlive(thread))
      .catch(() => {}).finally(() => this.#looking = null) ?? null;
  }

  /** One change of the lease after the other; while the store is away, there is none. */
  #changeLease(change: () => Promise<void>): Promise<void> {
    const before = this.#leasing ?? Promise.resolve();
    const changed: Promise<void> = before.then(change).catch(() => {}).finally(() => {
      if (this.#leasing === changed) this.#leasing = null;
    });
    return this.#leasing = changed;
  }

  /**
   * Rests when nothing is open.
   *
   * @param isOver also with what could not be closed; before, another thread would take it over
   */
  #rest(isOver = false): void {
    for (const tell of this.#onChange) tell();
    this.#onChange.clear();
    const isIdle = this.#rooms.size === 0 && this.#members.size === 0 && this.#entering === 0;
    if (!isIdle && !isOver) return;
    clearInterval(this.#leaseTimer);
    if (this.#leaseTimer !== undefined) void this.#changeLease(() => this.#records.endLease());
    this.#leaseTimer = undefined;
    this.#channel?.close();
    this.#channel = null;
  }
}

function keyOf({ session, share, address }: Grant): string {
  return session ? `user ${session.userId}` : `share ${share?.hash} ${address}`;
}

function stoppingError(): DomainError {
  return new DomainError("busy", "Cannot edit the text: the server is stopping", 2);
}
