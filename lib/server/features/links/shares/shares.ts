import type { EntryPath } from "../../../../shared/path.ts";
import { DomainError } from "../../../../shared/errors.ts";
import { maxShareNameLength } from "../../../../shared/schemas/share.ts";
import { idsIn } from "../../../core/kv/collection.ts";
import { commitChange, noChange } from "../../../core/kv/commit.ts";
import { isInTrash } from "../../../core/access/names.ts";
import { orWhenUnavailable } from "../../../core/kv/circuit_breaker.ts";
import { hasAny, inParts } from "../../../core/kv/parts.ts";
import { checkRecordSize } from "../../../core/kv/size.ts";
import type { Store } from "../../../core/kv/store.ts";
import type { Passwords } from "../../accounts/passwords/passwords.ts";
import type { ShareDraft } from "./read_draft.ts";
import { changedTerms, hasExpired, memberKeys, type Share, termsOf } from "./share.ts";
import { endAfter, hashLinkPassword, makeCapability } from "../link_terms.ts";
import { changedShare, type ShareChange } from "./share_change.ts";
import {
  addShare,
  dropShare,
  dropShares,
  joinShares,
  type ReadShare,
  readShare,
  replaceShare,
  shareNames,
  shareNumber,
  shareRecords,
  sharesByAudience,
  sharesByNumber,
  sharesByUser,
  type StoredShare,
} from "./share_records.ts";
import { markedNames, sharesByTarget, targetsAt } from "./share_targets.ts";
import { claimName } from "./share_names.ts";
import type { User } from "../../accounts/users/user.ts";
import { missingUsers } from "../../accounts/users/user_reader.ts";
import { ShareUses } from "./share_uses.ts";

/** Most records of shares that the removal of their entry removes at once. */
const maxRemoved = 50;

/** Shares for a user that are read at once: each may have a path of tens of thousands of characters. */
const fewShares = 50;

/** The shares. A share follows its entry when that is moved, and is deleted with it. */
export class Shares {
  readonly #store: Store;
  readonly #passwords: Passwords;
  readonly #now: () => number;
  /** How they are used. */
  readonly uses: ShareUses;

  /** @param now the clock, in milliseconds since 1970 */
  constructor(store: Store, passwords: Passwords, now: () => number = () => Date.now()) {
    this.#store = store;
    this.#passwords = passwords;
    this.#now = now;
    this.uses = new ShareUses(store, now);
  }

  /**
   * Shares an entry.
   *
   * @param of the owner; the path with the owner's scope before it; the entry's own place
   * @throws DomainError `invalid_password` when it has more than 72 bytes; `exists` when the name is
   * taken
   */
  async create(
    of: Pick<Share, "userId" | "path" | "place">,
    { password, seconds, expire, terms }: ShareDraft,
  ): Promise<Share> {
    const share: Share = {
      ...of,
      hash: makeCapability(),
      expire: expire ?? endAfter(seconds, this.#now()),
      created: Math.floor(this.#now() / 1000),
      passwordHash: await hashLinkPassword(this.#passwords, password),
      ...terms && { terms: changedTerms(termsOf({}), terms, 0) },
    };
    checkRecordSize(`share "${of.path}"`, share);
    await commitChange(this.#store, async () => {
      const claim = await claimName(this.#store, termsOf(share).name, share.hash, this.#now());
      const add = await addShare(this.#store, share);
      return { result: undefined, build: (operation) => add(claim(operation)) };
    });
    return share;
  }

  /**
   * Changes a share, as it is at the moment of the commit. Tokens that visitors hold are void then,
   * and a former name leads nowhere.
   *
   * @param assertMay throws when the caller may not have the share that results: of two changes at
   * once each is judged with the other
   * @throws DomainError `not_found`; `invalid_password`; `exists` when the name is taken
   */
  async change(
    hash: string,
    change: ShareChange,
    assertMay: (next: Share) => void = () => {},
  ): Promise<Share> {
    const { password } = change;
    const passwordHash = password && await hashLinkPassword(this.#passwords, password);
    return await commitChange(this.#store, async () => {
      const now = this.#now();
      const read = await readShare(this.#store, hash);
      if (!read || !this.#isOpen(read.share)) throw noShareError();
      const next = changedShare(read.share, change, { passwordHash: passwordHash || null, now });
      assertMay(next);
      checkRecordSize(`share "${next.path}"`, next);
      const claim = await claimName(this.#store, termsOf(next).name, hash, now);
      const replace = await replaceShare(this.#store, read, next);
      return { result: next, build: (operation) => replace(claim(operation)) };
    });
  }

  /** Stores a share of another program under its own hash. One of that hash is replaced. */
  async adopt(share: Share): Promise<void> {
    checkRecordSize(`share "${share.path}"`, share);
    await commitChange(this.#store, async () => {
      const entry = await shareRecords.entry(this.#store, share.hash);
      const free = entry.value ? await dropShare(this.#store, entry) : noChange;
      const add = await addShare(this.#store, share);
      return { result: undefined, build: (operation) => add(free(operation.check(entry))) };
    });
  }

  /** @throws DomainError `not_found`, for an expired one as well */
  async get(hash: string): Promise<Share> {
    const share = await this.#find(hash);
    if (share) return share;
    throw noShareError();
  }

  /**
   * The share at a public address: its hash, or else its name, in any case.
   *
   * @throws DomainError `not_found`, for an expired one as well
   */
  async at(address: string): Promise<Share> {
    const share = await this.#find(address);
    if (share) return share;
    if (address.length > maxShareNameLength) throw noShareError();
    const key = shareNames.prefix(address.toLowerCase());
    const hash = await this.#store.cachedRead(
      key,
      async () => (await this.#store.get<string>(key)).value,
    );
    return await this.get(hash ?? "");
  }

  /**
   * Shares in the order of their hashes, part by part.
   *
   * @param of.userId whose; of all users unless given
   * @param of.after the hash behind which they begin
   */
  async *parts(of: { userId?: number; after?: string; size?: number } = {}): SharePartsOf {
    const { userId, ...options } = of;
    if (userId === undefined) {
      const parts = shareRecords.page(this.#store, options);
      for await (const part of parts) yield await this.#joined(part);
      return;
    }
    for await (const part of inParts(this.#store, sharesByUser.prefix(userId), options)) {
      yield await this.#named(part);
    }
  }

  /**
   * The shares of one entry, part by part.
   *
   * @param place of the entry
   * @param of.userId whose; of all users unless given
   * @param of.after what {@linkcode positionOf} says of the share behind which they begin
   */
  async *partsAt(
    place: EntryPath,
    of: { userId?: number; after?: string; size?: number } = {},
  ): SharePartsOf {
    const [reached = "", hash] = of.after?.split(".") ?? [];
    const targets = targetsAt(this.#store, place, { userId: of.userId, from: reached });
    for await (const some of targets) {
      for (const { id } of some) {
        const options = { size: of.size, after: id === reached ? hash : undefined };
        for await (const part of inParts(this.#store, sharesByTarget.prefix(id), options)) {
          yield await this.#named(part);
        }
      }
    }
  }

  /**
   * The share of a user with a number, and the key of the one of those it is for who has it; null
   * where none has.
   *
   * @throws DomainError `exists` where two have the number, of which neither can be meant safely
   */
  async numbered(userId: number, number: number): Promise<{ share: Share; key: string } | null> {
    const found: { share: Share; key: string }[] = [];
    for await (const part of inParts(this.#store, sharesByNumber.prefix(userId, number))) {
      for (const share of await this.#named(part)) {
        const keys = memberKeys(share).filter((key) => shareNumber(share, key) === number);
        found.push(...keys.map((key) => ({ share, key })));
      }
    }
    if (found.length <= 1) return found[0] ?? null;
    const reason = "two have this number; use the browser";
    throw new DomainError("exists", `Cannot choose the share: ${reason}`);
  }

  /** Whether a user shares anything. */
  async isSharing(userId: number): Promise<boolean> {
    const prefix = sharesByUser.prefix(userId);
    return await this.#store.cachedRead(prefix, () => hasAny(this.#store, prefix));
  }

  /** Whether others share something with a user, or with a group of the user. */
  async isFor(user: Pick<User, "id" | "groups">): Promise<boolean> {
    for await (const shares of this.partsFor(user)) if (shares.length > 0) return true;
    return false;
  }

  /** How many shares {@linkcode partsFor} has, at most: no record is read. */
  async countFor(user: Pick<User, "id" | "groups">): Promise<number> {
    let count = 0;
    for (const prefix of audiencesOf(user)) {
      for await (const part of inParts(this.#store, prefix)) count += part.length;
    }
    return count;
  }

  /**
   * The shares of others for a user, or for a group of the user, part by part. One that is for
   * several of them comes several times.
   */
  async *partsFor(user: Pick<User, "id" | "groups">): SharePartsOf {
    for (const prefix of audiencesOf(user)) {
      for await (const part of inParts(this.#store, prefix, { size: fewShares })) {
        const shares = await this.#named(part);
        yield shares.filter(({ userId }) => userId !== user.id);
      }
    }
  }

  /**
   * The names of the entries in a folder that a user shares; of the user's other shares nothing is
   * read.
   *
   * @param folder its place
   */
  async namesIn(folder: EntryPath, userId: number): Promise<ReadonlySet<string>> {
    const key = ["share names", userId, folder];
    // The marks are no reason to refuse a listing.
    const ends = await orWhenUnavailable(
      () => this.#store.cachedRead(key, () => markedNames(this.#store, folder, userId)),
      [],
    );
    const now = this.#now();
    return new Set(ends.filter((mark) => !hasExpired(mark, now)).map(({ name }) => name));
  }

  /** Whether a password opens the share; without one all do. Takes the time of a comparison. */
  async isOpenedBy({ passwordHash }: Share, password: string): Promise<boolean> {
    return passwordHash === null || await this.#passwords.verify(password, passwordHash);
  }

  /** Ends a share. */
  async remove({ hash }: Pick<Share, "hash">): Promise<void> {
    await commitChange(this.#store, async () => {
      // It may be renamed or removed meanwhile.
      const entry = await shareRecords.entry(this.#store, hash);
      if (entry.value === null) return { result: undefined, build: null };
      return { result: undefined, build: await dropShare(this.#store, entry) };
    });
  }

  /** Removes the records of all shares of a deleted user, which nothing opens any more. */
  async removeOf(userId: number): Promise<void> {
    for await (const part of inParts(this.#store, sharesByUser.prefix(userId))) {
      await dropShares(this.#store, idsIn(part));
    }
  }

  /**
   * Removes the records of shares that have expired, of those whose entry was removed, and of users
   * who are gone: a process may be killed while it removes them.
   */
  async removeExpired(): Promise<void> {
    for await (const part of shareRecords.page(this.#store)) {
      const live = await this.#kept(part);
      const kept = new Set(live.map(({ hash }) => hash));
      const over = part.filter(({ hash }) => !kept.has(hash));
      for (const { hash } of over) await this.#removeDead(hash);
      const owners = new Set(part.map(({ userId }) => userId));
      for (const id of await missingUsers(this.#store, owners)) await this.removeOf(id);
    }
  }

  /** Removes the shares that led to targets which have ended. */
  async removeLed(targets: readonly string[]): Promise<void> {
    // The records of many are removed later: nothing finds them any more.
    const some = await this.#store.read((kv) => this.#firstOf(kv, targets));
    if (some.length > maxRemoved) return;
    for (const hash of some) await this.#removeDead(hash);
  }

  /** Removes the record of a share, unless it leads to an entry again. */
  async #removeDead(hash: string): Promise<void> {
    await commitChange(this.#store, async () => {
      const entry = await shareRecords.entry(this.#store, hash);
      if (entry.value === null) return { result: undefined, build: null };
      const isLive = (await this.#kept([entry.value])).length > 0;
      const build = isLive ? null : await dropShare(this.#store, entry);
      return { result: undefined, build };
    });
  }

  /** The first shares that lead to some targets: one more than are removed at once. */
  async #firstOf(kv: Pick<Deno.Kv, "list">, targets: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const id of targets) {
      const limit = maxRemoved + 1 - found.length;
      if (limit === 0) break;
      const some = await Array.fromAsync(kv.list({ prefix: sharesByTarget.prefix(id) }, { limit }));
      found.push(...idsIn(some));
    }
    return found;
  }

  /** The shares that the keys of an index name. */
  async #named(keys: readonly Deno.KvEntry<unknown>[]): Promise<Share[]> {
    return await this.#joined(await shareRecords.named(this.#store, keys));
  }

  /** Those of these shares that can be opened: their entries are not in the trash. */
  async #joined(records: readonly StoredShare[]): Promise<Share[]> {
    return (await this.#kept(records)).filter(({ place }) => !isInTrash(place));
  }

  async #kept(records: readonly StoredShare[]): Promise<Share[]> {
    const now = this.#now();
    return await joinShares(this.#store, records.filter((record) => !hasExpired(record, now)));
  }

  /** Null for one that can't be opened, as for one that is not there. */
  async #find(hash: string): Promise<Share | null> {
    const key = shareRecords.key(hash);
    const read = await this.#store.cachedRead<ReadShare | null>(
      key,
      () => readShare(this.#store, hash),
    );
    return read && this.#isOpen(read.share) ? read.share : null;
  }

  #isOpen(share: Share): boolean {
    return !hasExpired(share, this.#now()) && !isInTrash(share.place);
  }
}

/** Shares, part by part. */
export type SharePartsOf = AsyncGenerator<Share[], void>;

/** The place of a share in the order of {@linkcode Shares.partsAt}. */
export function positionOf({ target = "", hash }: Share): string {
  return `${target}.${hash}`;
}

/** The prefixes of the shares for a user. */
function audiencesOf({ id, groups }: Pick<User, "id" | "groups">): Deno.KvKey[] {
  return [
    sharesByAudience.prefix("user", id),
    ...groups.map((group) => sharesByAudience.prefix("group", group)),
  ];
}

/** The refusal of an address without a share: also for what is not to be told from one. */
export function noShareError(): DomainError {
  return new DomainError("not_found", "Cannot find the share: no share has this address");
}
