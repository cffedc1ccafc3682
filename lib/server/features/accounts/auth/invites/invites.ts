import { hourMs, isoOf } from "../../../../../shared/time.ts";
import { unlessRefused } from "../../../../../shared/unless_refused.ts";
import { DomainError } from "../../../../../shared/errors.ts";
import type { InviteInfo } from "../../../../../shared/schemas/invite.ts";
import { Collection } from "../../../../core/kv/collection.ts";
import { digestOf, secretWithId } from "../../../../core/kv/random_id.ts";
import type { Store } from "../../../../core/kv/store.ts";
import type { SettingsStore } from "../../../settings/settings_store.ts";
import { admitInvited } from "../../users/sign_up.ts";
import type { AtomicStep } from "../../../../core/kv/commit.ts";
import { commandLineId, type User } from "../../users/user.ts";
import { parseUsername } from "../../users/username.ts";
import type { Users } from "../../users/users.ts";
import type { MakeHome } from "../../users/with_home.ts";
import type { LoginThrottle } from "../login_throttle.ts";

/** A link, as the store holds it. */
export interface Invite {
  /** The digest of its secret. */
  id: string;
  /** The name that the new user is to have; null where the invited chooses it. */
  username: string | null;
  /** The user whose password it sets; null for a new one. */
  userId: number | null;
  /** The epoch of that user: a password that was changed since is not changed by it. */
  epoch: number | null;
  /** The name of who made it. */
  by: string;
  /** The administrator who made it; null for who has the command line. */
  byId: number | null;
  /** In milliseconds since 1970. */
  created: number;
  expires: number;
  /** Set while it is being used, or was: the use. */
  usedBy?: string;
}

/**
 * A link that makes a user or sets a password, by the digest of its secret: about 300 bytes. They
 * are listed as a whole.
 */
export const inviteRecords = new Collection<Invite>("invites", { max: 500 });

/** The purpose of a new link. */
export interface InviteDraft {
  username: string | null;
  /** The user whose password it sets; null for a new one. */
  user: User | null;
  /** The administrator who makes it. */
  by: Pick<User, "id" | "username">;
  hours: number;
}

/** Dependencies of the links. */
export interface InvitesOptions {
  store: Store;
  users: Users;
  settings: SettingsStore;
  attempts: LoginThrottle;
  makeHome: MakeHome;
  /** The clock, in milliseconds since 1970; the system's by default. */
  now?: () => number;
}

/**
 * Links that an administrator hands out: each makes one user, or sets one password, once, as long
 * as who made it is an administrator. The answer does not reveal whether a
 * link is unknown, was used, was withdrawn or has expired.
 */
export class Invites {
  readonly #options: InvitesOptions;
  readonly #now: () => number;

  constructor(options: InvitesOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => Date.now());
  }

  /**
   * Makes a link.
   *
   * @returns its secret as well, which is not shown again
   * @throws DomainError `exists` when the name is taken; `invalid_name`; `forbidden` for a user whose
   * password is decided elsewhere; `invalid_body` for too many links
   */
  async create(
    { username, user, by, hours }: InviteDraft,
  ): Promise<{ secret: string; invite: Invite }> {
    const { store, users } = this.#options;
    if (user && (user.lockPassword || user.identity)) {
      const reason = `the password of "${user.username}" cannot be changed by the user`;
      throw new DomainError("forbidden", `Cannot create the link: ${reason}`);
    }
    const name = username === null ? null : parseUsername(username);
    if (name !== null && await users.byName(name)) {
      throw new DomainError("exists", `Cannot invite "${name}": there is a user of that name`);
    }
    if ((await this.list()).length >= inviteRecords.max) {
      const text = `Cannot create the link: at most ${inviteRecords.max} are allowed`;
      throw new DomainError("invalid_body", text);
    }
    const { secret, id } = secretWithId();
    const created = this.#now();
    const invite: Invite = {
      id,
      username: user?.username ?? name,
      userId: user?.id ?? null,
      epoch: user?.epoch ?? null,
      by: by.username,
      byId: by.id === commandLineId ? null : by.id,
      created,
      expires: created + hours * hourMs,
    };
    await inviteRecords.set(store, [id], invite);
    return { secret, invite };
  }

  /** The links that work, the newest first. */
  async list(): Promise<Invite[]> {
    const invites = await inviteRecords.list(this.#options.store);
    const makers = await this.#makersOf(invites);
    return invites.filter((invite) => this.#isOpen(invite) && makers.has(invite.byId))
      .sort((a, b) => b.created - a.created);
  }

  /**
   * Withdraws a link. One that is being used at the moment does not come back when that fails.
   *
   * @throws DomainError `not_found`, also for one that was used
   */
  async remove(id: string): Promise<Invite> {
    const { store } = this.#options;
    const invite = await inviteRecords.get(store, id);
    await inviteRecords.remove(store, id);
    if (invite && invite.usedBy === undefined) return invite;
    throw new DomainError("not_found", "Cannot withdraw the link: no such link");
  }

  /**
   * The purpose of a link. Wrong ones are counted by address.
   *
   * @throws DomainError `not_found` for one that does not work; `throttled`
   */
  async open(secret: string, address: string): Promise<Invite> {
    const { attempts } = this.#options;
    const found = await attempts.throttled(
      `invite:${digestOf(secret)}`,
      address,
      () => this.#find(secret),
    );
    if (found) return found;
    throw new DomainError(
      "not_found",
      "Cannot use the link: it was used, was withdrawn or has expired",
    );
  }

  /**
   * Uses a link up: of two at the same time, one. A refused name or password leaves it as it is.
   *
   * @param choice the name counts only where the link leaves it open
   * @throws DomainError as {@linkcode open}; `exists`, `invalid_name`, `invalid_password`
   */
  async use(
    secret: string,
    choice: { username: string; password: string },
    address: string,
  ): Promise<User> {
    const invite = await this.open(secret, address);
    const { users, settings, makeHome } = this.#options;
    const { password } = choice;
    const use = crypto.randomUUID();
    const along = (former?: User) => this.#use(invite.id, use, former);
    try {
      if (invite.userId !== null) {
        return await users.update(invite.userId, { password }, { along });
      }
      const newcomer = { username: invite.username ?? choice.username, password };
      return await admitInvited(users, await settings.get(), newcomer, makeHome, along);
    } catch (error) {
      await this.#end(invite.id, use, invite);
      throw error;
    } finally {
      await this.#end(invite.id, use, null);
    }
  }

  /**
   * Uses a link up, in the same commit as what it is for: it is there still, of no other use, and
   * who made it is an administrator. The record stays until the use has ended, as the home of a new
   * user is made last and may be refused.
   *
   * @throws DomainError `not_found`
   */
  async #use(id: string, use: string, former?: User): Promise<AtomicStep> {
    const entry = await inviteRecords.entry(this.#options.store, id);
    const { value } = entry;
    if (!value || value.userId !== (former?.id ?? null) || !await this.#isGood(value, former)) {
      throw new DomainError("not_found", "Cannot use the link: it was used or withdrawn");
    }
    return (operation) => inviteRecords.write(operation, entry, { ...value, usedBy: use });
  }

  /** Ends a use: the record is what is given, unless the link was withdrawn meanwhile. */
  async #end(id: string, use: string, record: Invite | null): Promise<void> {
    const { store } = this.#options;
    const entry = await inviteRecords.entry(store, id);
    if (entry.value?.usedBy !== use) return;
    await store.atomic((operation) => inviteRecords.write(operation, entry, record));
  }

  /** Removes the links that are over, and those whose maker is no administrator any more. */
  async removeExpired(): Promise<void> {
    const now = this.#now();
    const { store } = this.#options;
    const makers = await this.#makersOf(await inviteRecords.list(store));
    await inviteRecords.removeExpired(
      store,
      now,
      ({ expires, byId }) => expires <= now || !makers.has(byId),
    );
  }

  /** The ids of those who have made links that work; null is the command line. */
  async #makersOf(invites: readonly Invite[]): Promise<Set<number | null>> {
    const makers = new Set<number | null>();
    for (const [byId, [invite]] of Map.groupBy(invites, ({ byId }) => byId)) {
      if (invite && await this.#isOfAdmin(invite)) makers.add(byId);
    }
    return makers;
  }

  async #find(secret: string): Promise<Invite | null> {
    const { store, users } = this.#options;
    const value = await inviteRecords.get(store, digestOf(secret));
    if (!value) return null;
    const { userId } = value;
    const user = userId === null
      ? undefined
      : await unlessRefused(() => users.get(userId), "not_found");
    if (user === null || !await this.#isGood(value, user)) return null;
    return user ? { ...value, username: user.username } : value;
  }

  /** @param user the one whose password it sets, as the record is */
  async #isGood(invite: Invite, user?: User): Promise<boolean> {
    if (!this.#isOpen(invite)) return false;
    const isTheirs = !user ||
      user.epoch === invite.epoch && !user.lockPassword && !user.identity;
    return isTheirs && await this.#isOfAdmin(invite);
  }

  #isOpen({ expires, usedBy }: Invite): boolean {
    return expires > this.#now() && usedBy === undefined;
  }

  async #isOfAdmin({ byId }: Invite): Promise<boolean> {
    if (byId === null) return true;
    const maker = await unlessRefused(() => this.#options.users.acting(byId), "not_found");
    return maker?.perm.admin === true;
  }
}

/** A link as administrators see it. */
export function toInviteInfo(
  { epoch: _, byId: __, usedBy: ___, userId, created, expires, ...invite }: Invite,
): InviteInfo {
  return {
    ...invite,
    kind: userId === null ? "invite" : "reset",
    userID: userId,
    created: isoOf(created),
    expires: isoOf(expires),
  };
}
