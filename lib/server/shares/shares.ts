import {
  type EntryPath,
  isInside,
  joinPaths,
  nameOf,
  parentOf,
  relativePath,
  ROOT,
} from "../../shared/path.ts";
import { DomainError } from "../../shared/errors.ts";
import { longestShareName } from "../../shared/schemas/share.ts";
import type { EntryObserver } from "../files/entry_observers.ts";
import { commitChange } from "../kv/commit.ts";
import {
  shareAudiencePrefix,
  shareKey,
  shareNameKey,
  sharePlacesPrefix,
  sharesPrefix,
  userSharesPrefix,
} from "../kv/keys/shares.ts";
import { unlessAway } from "../kv/circuit_breaker.ts";
import { randomId } from "../kv/random_id.ts";
import { removeExpired } from "../kv/remove_expired.ts";
import { checkRecordSize } from "../kv/size.ts";
import type { Store } from "../kv/store.ts";
import type { Passwords } from "../passwords/passwords.ts";
import type { ShareDraft } from "./read_draft.ts";
import { hashSharePassword } from "./share_password.ts";
import { hasExpired, type Share, termsOf } from "./share.ts";
import { digestsOf } from "../kv/path_digests.ts";
import { changedShare, endAfter, type ShareChange } from "./share_change.ts";
import { dropShare, putShare, replaceShare } from "./share_index.ts";
import { claimName } from "./share_names.ts";
import type { User } from "../users/user.ts";
import { ShareUses } from "./share_uses.ts";

/** The shares. A share follows its entry when that is moved, and is deleted with it. */
export class Shares implements EntryObserver {
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
    { password, seconds, terms }: ShareDraft,
  ): Promise<Share> {
    const share: Share = {
      ...of,
      hash: randomId(16),
      expire: endAfter(seconds, this.#now()),
      passwordHash: await hashSharePassword(this.#passwords, password),
      ...terms && { terms: { ...termsOf({}), ...terms } },
    };
    checkRecordSize(`share "${of.path}"`, share);
    await commitChange(this.#store, async () => {
      const claim = await claimName(this.#store, termsOf(share).name, share.hash, this.#now());
      return { result: undefined, build: (operation) => putShare(claim(operation), share) };
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
    const passwordHash = password && await hashSharePassword(this.#passwords, password);
    return await commitChange(this.#store, async () => {
      const now = this.#now();
      const entry = await this.#store.get<Share>(shareKey(hash));
      const share = entry.value;
      if (!share || hasExpired(share, now)) throw noShare();
      const next = changedShare(share, change, { passwordHash: passwordHash || null, now });
      assertMay(next);
      checkRecordSize(`share "${next.path}"`, next);
      const claim = await claimName(this.#store, termsOf(next).name, hash, now);
      return {
        result: next,
        build: (operation) => replaceShare(claim(operation).check(entry), share, next),
      };
    });
  }

  /** Stores a share of another program under its own hash. One of that hash is replaced. */
  async adopt(share: Share): Promise<void> {
    checkRecordSize(`share "${share.path}"`, share);
    await commitChange(this.#store, async () => {
      const entry = await this.#store.get<Share>(shareKey(share.hash));
      return {
        result: undefined,
        build: (operation) => {
          const checked = operation.check(entry);
          const free = entry.value ? dropShare(checked, entry.value) : checked;
          return putShare(free, share);
        },
      };
    });
  }

  /** @throws DomainError `not_found`, for an expired one as well */
  async get(hash: string): Promise<Share> {
    const share = await this.#find(hash);
    if (share) return share;
    throw noShare();
  }

  /**
   * The share at a public address: its hash, or else its name, in any case.
   *
   * @throws DomainError `not_found`, for an expired one as well
   */
  async at(address: string): Promise<Share> {
    const share = await this.#find(address);
    if (share) return share;
    if (address.length > longestShareName) throw noShare();
    const key = shareNameKey(address.toLowerCase());
    const hash = await this.#store.kept(
      key,
      async () => (await this.#store.get<string>(key)).value,
    );
    return await this.get(hash ?? "");
  }

  /** All shares. */
  async list(): Promise<Share[]> {
    const entries = await this.#store.list<Share>(sharesPrefix());
    return entries.map(({ value }) => value).filter((share) => !hasExpired(share, this.#now()));
  }

  /** The shares of one user. */
  async listOf(userId: number): Promise<Share[]> {
    return await this.#indexed(userSharesPrefix(userId));
  }

  /** The shares of others for a user, or for a group of the user. */
  async listFor({ id, groups }: Pick<User, "id" | "groups">): Promise<Share[]> {
    const found = new Map<string, Share>();
    const prefixes = [
      shareAudiencePrefix("user", id),
      ...groups.map((group) => shareAudiencePrefix("group", group)),
    ];
    for (const prefix of prefixes) {
      for (const share of await this.#indexed(prefix)) {
        if (share.userId !== id) found.set(share.hash, share);
      }
    }
    return [...found.values()];
  }

  /**
   * The names of the entries in a folder that a user shares. Only keys are read, besides the
   * records of the result: the user's own, and those of what is shared at or below the folder.
   *
   * @param folder its place
   */
  async namesIn(folder: EntryPath, userId: number): Promise<Set<string>> {
    const names = new Set<string>();
    // The marks are no reason to refuse a listing.
    const own = new Set(await unlessAway(() => this.#hashes(userSharesPrefix(userId)), []));
    if (own.size === 0) return names;
    const prefix = sharePlacesPrefix(digestsOf(folder));
    // The key of an entry in the folder has one digest more, and the hash; of a deep one, none more.
    const longest = prefix.length + 2;
    for (const hash of await this.#hashes(prefix, longest)) {
      const share = own.has(hash) ? await this.#find(hash) : null;
      if (share && share.place !== ROOT && parentOf(share.place) === folder) {
        names.add(nameOf(share.place));
      }
    }
    return names;
  }

  /** Whether a password opens the share; without one all do. Takes the time of a comparison. */
  async isOpenedBy({ passwordHash }: Share, password: string): Promise<boolean> {
    return passwordHash === null || await this.#passwords.verify(password, passwordHash);
  }

  /** Ends a share. */
  async remove(share: Share): Promise<void> {
    await commitChange(this.#store, async () => {
      // It may have another name by now, or be gone.
      const entry = await this.#store.get<Share>(shareKey(share.hash));
      const drop = entry.value ?? share;
      return { result: undefined, build: (operation) => dropShare(operation.check(entry), drop) };
    });
  }

  /** Ends all shares of a deleted user. */
  async removeOf(userId: number): Promise<void> {
    for (const share of await this.listOf(userId)) await this.remove(share);
  }

  /** Removes the records of shares that have expired. */
  async removeExpired(): Promise<void> {
    const now = this.#now();
    await removeExpired<Share>(
      this.#store,
      sharesPrefix(),
      (share) => hasExpired(share, now),
      (operation, { value }) => dropShare(operation, value),
    );
  }

  async concerns(path: EntryPath): Promise<boolean> {
    return (await this.#below(path)).length > 0;
  }

  async moved(from: EntryPath, to: EntryPath): Promise<void> {
    for (const { hash } of await this.#below(from)) await this.#move(hash, from, to);
  }

  async removed(path: EntryPath): Promise<void> {
    for (const share of await this.#below(path)) await this.remove(share);
  }

  /** Shares at a place or below it. */
  async #below(place: EntryPath): Promise<Share[]> {
    const shares = await this.#indexed(sharePlacesPrefix(digestsOf(place)));
    return shares.filter((share) => isInside(share.place, place));
  }

  async #indexed(prefix: Deno.KvKey): Promise<Share[]> {
    const shares: Share[] = [];
    for (const hash of await this.#hashes(prefix)) {
      const share = await this.#find(hash);
      if (share) shares.push(share);
    }
    return shares;
  }

  /** The hashes at the ends of the keys of an index. @param longest parts of a key */
  async #hashes(prefix: Deno.KvKey, longest = Infinity): Promise<string[]> {
    const keys = await this.#store.kept(prefix, async () => {
      return (await this.#store.list(prefix)).map(({ key }) => key);
    });
    return keys.filter((key) => key.length <= longest).map((key) => String(key.at(-1)));
  }

  /** Null for one that has expired, as for one that is not there. */
  async #find(hash: string): Promise<Share | null> {
    const key = shareKey(hash);
    const share = await this.#store.kept(
      key,
      async () => (await this.#store.get<Share>(key)).value,
    );
    return share && !hasExpired(share, this.#now()) ? share : null;
  }

  async #move(hash: string, from: EntryPath, to: EntryPath): Promise<void> {
    await commitChange(this.#store, async () => {
      const entry = await this.#store.get<Share>(shareKey(hash));
      const share = entry.value;
      if (!share || !isInside(share.place, from)) return { result: undefined, build: null };
      const place = joinPaths(to, relativePath(share.place, from));
      // A path through a link leads through it still, or nowhere.
      const path = share.path === share.place ? place : share.path;
      const next = { ...share, path, place };
      return {
        result: undefined,
        build: (operation) => replaceShare(operation.check(entry), share, next),
      };
    });
  }
}

/** The refusal of an address without a share: also for what is not to be told from one. */
export function noShare(): DomainError {
  return new DomainError("not_found", "Cannot find the share: there is none at this address");
}
