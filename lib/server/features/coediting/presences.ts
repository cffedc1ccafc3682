import * as decoding from "lib0/decoding";
import * as encoding from "lib0/encoding";
import { LruCache } from "../../../shared/lru_cache.ts";
import type { ShownUser } from "../../../shared/coediting.ts";
import { DomainError } from "../../../shared/errors.ts";

/** Most clients whose clock is known after they have left. */
const maxClocks = 1_000;

/** Most entries of an update that a page sends: its own. */
const maxEntries = 4;

/** What others see of one member. */
interface Presence {
  client: number;
  /** The position of the cursor, as y-codemirror.next encodes it; null for none. */
  cursor: unknown;
}

/**
 * Where the cursors of the members are (y-protocols/awareness). A member speaks for one client
 * alone, the first that it names, and only tells where its cursor is: the server says whose it is.
 */
export class Presences<Member extends object> {
  readonly #present = new Map<Member, Presence>();
  /** The last clock of each client: one that comes again begins with a former one. */
  readonly #clocks = new LruCache<number, number>(maxClocks);
  readonly #userOf: (member: Member) => ShownUser;

  /** @param userOf tells how others see a member */
  constructor(userOf: (member: Member) => ShownUser) {
    this.#userOf = userOf;
  }

  /** The member that speaks for a client. */
  memberOf(client: number): Member | undefined {
    for (const [member, presence] of this.#present) if (presence.client === client) return member;
  }

  /** The client that a member names in an update; null for none, or one that it may not name. */
  clientIn(member: Member, update: Uint8Array): number | null {
    const known = this.#present.get(member)?.client;
    const [client] = entriesOf(update).map(({ client }) => client)
      .filter((client) => known === undefined || client === known);
    return client ?? null;
  }

  /**
   * Takes an update of a member. Entries of other clients are left out.
   *
   * @returns what is sent to the others; null for nothing
   * @throws DomainError `invalid_body`
   */
  take(member: Member, update: Uint8Array): Uint8Array | null {
    const client = this.clientIn(member, update);
    const entry = entriesOf(update).find((entry) => entry.client === client);
    if (client === null || !entry) return null;
    const holder = this.memberOf(client);
    if (holder !== undefined && holder !== member) return null;
    if (entry.state === null) return this.remove(member);
    const clock = Math.max(entry.clock, (this.#clocks.get(client) ?? 0) + 1);
    this.#clocks.set(client, clock);
    this.#present.set(member, { client, cursor: cursorIn(entry.state) });
    return this.#encode([member]);
  }

  /** Where all members are; null while none has told. */
  all(): Uint8Array | null {
    return this.#present.size === 0 ? null : this.#encode([...this.#present.keys()]);
  }

  /** Forgets a member. @returns what is sent to the others; null for nothing */
  remove(member: Member): Uint8Array | null {
    const presence = this.#present.get(member);
    if (!presence) return null;
    this.#present.delete(member);
    const { client } = presence;
    const clock = (this.#clocks.get(client) ?? 0) + 1;
    this.#clocks.set(client, clock);
    return encoded([{ client, clock, state: null }]);
  }

  #encode(members: Member[]): Uint8Array {
    return encoded(members.flatMap((member) => {
      const presence = this.#present.get(member);
      if (!presence) return [];
      const { client, cursor } = presence;
      const state = { user: this.#userOf(member), ...cursor !== null && { cursor } };
      return [{ client, clock: this.#clocks.get(client) ?? 0, state }];
    }));
  }
}

interface Entry {
  client: number;
  clock: number;
  state: unknown;
}

/** @throws DomainError `invalid_body` */
function entriesOf(update: Uint8Array): Entry[] {
  try {
    const decoder = decoding.createDecoder(update);
    const count = decoding.readVarUint(decoder);
    return Array.from({ length: Math.min(count, maxEntries) }, () => ({
      client: decoding.readVarUint(decoder),
      clock: Math.min(decoding.readVarUint(decoder), 2 ** 31),
      state: JSON.parse(decoding.readVarString(decoder)),
    }));
  } catch {
    throw new DomainError("invalid_body", "Cannot read the position of the cursor: it is damaged");
  }
}

function encoded(entries: readonly Entry[]): Uint8Array {
  const encoder = encoding.createEncoder();
  encoding.writeVarUint(encoder, entries.length);
  for (const { client, clock, state } of entries) {
    encoding.writeVarUint(encoder, client);
    encoding.writeVarUint(encoder, clock);
    encoding.writeVarString(encoder, JSON.stringify(state));
  }
  return encoding.toUint8Array(encoder);
}

/** The cursor in a state of y-codemirror.next: two relative positions. */
function cursorIn(state: unknown): unknown {
  if (typeof state !== "object" || state === null || !("cursor" in state)) return null;
  const { cursor } = state;
  if (typeof cursor !== "object" || cursor === null) return null;
  const { anchor, head } = cursor as { anchor?: unknown; head?: unknown };
  return isPosition(anchor) && isPosition(head) ? { anchor, head } : null;
}

/** Whether something is a relative position as JSON (`Y.RelativePosition`). */
function isPosition(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { type, tname, item, assoc } = value as Record<string, unknown>;
  const isId = (id: unknown) =>
    id === undefined || id === null ||
    typeof id === "object" && Object.values(id).every((part) => Number.isSafeInteger(part));
  return isId(type) && isId(item) && (tname === undefined || typeof tname === "string") &&
    (assoc === undefined || Number.isSafeInteger(assoc));
}
