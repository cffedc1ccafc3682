import { createHash } from "node:crypto";
import { DomainError } from "../../../shared/errors.ts";
import type { InviteInfo } from "../../../shared/schemas/invite.ts";
import { commitChange } from "../../kv/commit.ts";
import { inviteKey, invitesPrefix } from "../../kv/keys/invites.ts";
import { removeExpired } from "../../kv/remove_expired.ts";
import type { Store } from "../../kv/store.ts";
import type { SettingsStore } from "../../settings/settings_store.ts";
import { admitInvited } from "../../users/sign_up.ts";
import type { User } from "../../users/user.ts";
import { parseUsername } from "../../users/username.ts";
import type { Users } from "../../users/users.ts";
import type { MakeHome } from "../../users/with_home.ts";
import type { LoginThrottle } from "../login_throttle.ts";
import { randomWord } from "../oidc/pending_sign_ins.ts";

/** Most links that are there at once: they are listed as a whole. */
const mostInvites = 500;

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
  /** In milliseconds since 1970. */
  created: number;
  expires: number;
}

/** What a new link is for. */
export interface InviteWish {
  username: string | null;
  /** The user whose password it sets; null for a new one. */
  user: User | null;
  by: string;
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
 * Links that an administrator hands out: each makes one user, or sets one password, once. Whether a
 * link is unknown, was used, was withdrawn or is over, nobody is told.
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
   * @returns its secret as well, which is told this once
   * @throws DomainError `exists` when the name is taken; `invalid_name`; `forbidden` for a user whose
   * password is decided elsewhere; `invalid_body` for too many links
   */
  async create(
    { username, user, by, hours }: InviteWish,
  ): Promise<{ secret: string; invite: Invite }> {
    const { store, users } = this.#options;
    if (user && (user.lockPassword || user.identity)) {
      const reason = `the password of "${user.username}" is not the user's to choose`;
      throw new DomainError("forbidden", `Cannot make the link: ${reason}`);
    }
    const name = username === null ? null : parseUsername(username);
    if (name !== null && await users.byName(name)) {
      throw new DomainError("exists", `Cannot invite "${name}": there is a user of that name`);
    }
    if ((await this.list()).length >= mostInvites) {
      const text = `Cannot make the link: there are ${mostInvites} already`;
      throw new DomainError("invalid_body", text);
    }
    const secret = randomWord();
    const created = this.#now();
    const invite: Invite = {
      id: idOf(secret),
      username: user?.username ?? name,
      userId: user?.id ?? null,
      epoch: user?.epoch ?? null,
      by,
      created,
      expires: created + hours * 3_600_000,
    };
    await store.atomic((operation) => operation.set(inviteKey(invite.id), invite));
    return { secret, invite };
  }

  /** The links that work, the newest first. */
  async list(): Promise<Invite[]> {
    const entries = await this.#options.store.list<Invite>(invitesPrefix());
    return entries.map(({ value }) => value).filter(({ expires }) => expires > this.#now())
      .sort((a, b) => b.created - a.created);
  }

  /** Withdraws a link. @throws DomainError `not_found` */
  async remove(id: string): Promise<Invite> {
    const { store } = this.#options;
    const { value } = await store.get<Invite>(inviteKey(id));
    if (!value) throw new DomainError("not_found", "Cannot withdraw the link: there is none");
    await store.atomic((operation) => operation.delete(inviteKey(id)));
    return value;
  }

  /**
   * What a link is for. Wrong ones are counted by address.
   *
   * @throws DomainError `not_found` for one that does not work; `throttled`
   */
  async open(secret: string, address: string): Promise<Invite> {
    const { attempts } = this.#options;
    const found = await attempts.guard(`invite:${idOf(secret)}`, address, () => this.#find(secret));
    if (found) return found;
    throw new DomainError("not_found", "Cannot go on: this link was used, withdrawn, or is over");
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
    await this.#take(invite);
    try {
      return await this.#fulfil(invite, choice);
    } catch (error) {
      await this.#options.store.atomic((operation) =>
        operation.check({ key: inviteKey(invite.id), versionstamp: null })
          .set(inviteKey(invite.id), invite)
      );
      throw error;
    }
  }

  /** Removes the links that are over. */
  async removeExpired(): Promise<void> {
    const now = this.#now();
    await removeExpired<Invite>(
      this.#options.store,
      invitesPrefix(),
      ({ expires }) => expires <= now,
    );
  }

  async #find(secret: string): Promise<Invite | null> {
    const { store, users } = this.#options;
    const { value } = await store.get<Invite>(inviteKey(idOf(secret)));
    if (!value || value.expires <= this.#now()) return null;
    if (value.userId === null) return value;
    const user = await unlessGone(users.get(value.userId));
    const isMine = user !== null && user.epoch === value.epoch && !user.lockPassword;
    return isMine ? { ...value, username: user.username } : null;
  }

  async #take({ id }: Invite): Promise<void> {
    const { store } = this.#options;
    await commitChange(store, async () => {
      const entry = await store.get<Invite>(inviteKey(id));
      if (!entry.value) {
        throw new DomainError("not_found", "Cannot go on: this link was used meanwhile");
      }
      return { result: null, build: (operation) => operation.check(entry).delete(entry.key) };
    });
  }

  async #fulfil(invite: Invite, choice: { username: string; password: string }): Promise<User> {
    const { users, settings, makeHome } = this.#options;
    const { password } = choice;
    if (invite.userId !== null) return await users.update(invite.userId, { password });
    const newcomer = { username: invite.username ?? choice.username, password };
    return await admitInvited(users, await settings.get(), newcomer, makeHome);
  }
}

/** A link as administrators see it. */
export function toInviteInfo(
  { epoch: _, userId, created, expires, ...invite }: Invite,
): InviteInfo {
  return {
    ...invite,
    kind: userId === null ? "invite" : "reset",
    userID: userId,
    created: new Date(created).toISOString(),
    expires: new Date(expires).toISOString(),
  };
}

async function unlessGone(finding: Promise<User>): Promise<User | null> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return null;
    throw error;
  }
}

function idOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}
