import { DomainError } from "../../../../shared/errors.ts";
import { commitChange } from "../../../core/kv/commit.ts";
import { factorsKey } from "../../../core/kv/keys/factors.ts";
import {
  notificationMailKey,
  notificationsKey,
  notificationStateKey,
} from "../../../core/kv/keys/notifications.ts";
import { settingsKey } from "../../../core/kv/keys/server.ts";
import {
  type Identity,
  userHomeKey,
  userIdentityKey,
  userKey,
  userNameKey,
} from "../../../core/kv/keys/users.ts";
import { moveMember } from "./groups/members.ts";
import { removeApiTokens } from "./remove_api_tokens.ts";
import { removeSessions } from "./remove_sessions.ts";
import { checkRecordSize } from "../../../core/kv/size.ts";
import type { Store } from "../../../core/kv/store.ts";
import type { Settings } from "../../settings/settings.ts";
import { mergePatch } from "../../../../shared/schemas/read.ts";
import { type AtomicStep, noChange, reserveKeys } from "./reserve_keys.ts";
import { checkPolicy } from "../passwords/password_policy.ts";
import type { Passwords } from "../passwords/passwords.ts";
import { openUserCounts, type UserCounts, withoutAdmin } from "./user_counts.ts";
import { changesRights, normalizeUser } from "./normalize_user.ts";
import { fieldsOf, type User, type UserChange, type UserDraft } from "./user.ts";
import { UserReader } from "./user_reader.ts";

/** Options of `Users.update`. */
export interface UpdateOptions {
  /**
   * Further checks and writes of the same atomic commit; asked for each attempt. It
   * throws to refuse.
   *
   * @param former the record as it is; none for a new user
   */
  along?: (former?: User) => Promise<AtomicStep>;
  /** The account elsewhere that is to sign in as this user. */
  identity?: Identity;
}

/** Options of `Users.create` besides the record itself. */
export interface CreateOptions extends UpdateOptions {
  /** A home folder that this user reserves, case-folded, against concurrent claims. */
  home?: string;
  /** Create the user only if there has never been one. */
  onlyFirst?: boolean;
  /** The password is going to be printed. */
  isPrinted?: boolean;
}

/** The users: their records, the index of names and the invariant that an administrator remains. */
export class Users extends UserReader {
  readonly #passwords: Passwords;

  constructor(store: Store, passwords: Passwords) {
    super(store);
    this.#passwords = passwords;
  }

  async count(): Promise<number> {
    return (await openUserCounts(this.store)).counts.users;
  }

  /**
   * Creates a user under the next id.
   *
   * @throws DomainError `exists` when the name, or the home claimed with it, is taken;
   * `invalid_name`; `invalid_password`; `invalid_body` when the record is too long
   */
  async create(draft: UserDraft, options: CreateOptions = {}): Promise<User> {
    const { onlyFirst = false, home = "", identity, isPrinted, along } = options;
    const fields = normalizeUser(fieldsOf(draft));
    await this.groups.checkAll(fields.groups);
    const passwordHash = "passwordHash" in draft
      ? draft.passwordHash
      : await this.#hash(draft.password, fields.username);
    return commitChange(this.store, async () => {
      const { counts, replace } = await openUserCounts(this.store);
      if (onlyFirst && counts.nextId !== 1) {
        throw new DomainError("exists", "Cannot create the first user: one exists already");
      }
      const id = counts.nextId;
      const user: User = { ...fields, id, passwordHash, home, version: 1, epoch: 1 };
      if (identity) user.identity = identity;
      if (isPrinted) user.hasPrintedPassword = true;
      checkRecordSize(`create the user "${user.username}"`, user);
      const keys = [userNameKey(user.username)];
      if (home !== "") keys.push(userHomeKey(home));
      if (identity) keys.push(userIdentityKey(identity));
      const reserve = await reserveKeys(this.store, keys, user);
      const count = replace({
        nextId: id + 1,
        users: counts.users + 1,
        admins: counts.admins + Number(user.perm.admin),
      });
      const alongside = along ? await along() : noChange;
      const join = moveMember(id, [], user.groups);
      return {
        result: user,
        build: (operation) => alongside(join(count(reserve(operation)))).set(userKey(id), user),
      };
    });
  }

  /**
   * Changes some fields. A new password, or a change of permissions, scope, rules or commands ends
   * all the user's sessions in the same atomic commit. They go on with other groups.
   *
   * @throws DomainError `not_found`; `exists` when the name is taken, when the user has an account
   * elsewhere already, or the account another user; `last_admin`; `invalid_name`;
   * `invalid_password`; `invalid_body` when the record is too long
   */
  async update(
    id: number,
    change: UserChange,
    { along, identity }: UpdateOptions = {},
  ): Promise<User> {
    const { password, passwordHash, ...changedFields } = change;
    const newHash = password === undefined
      ? passwordHash
      : await this.#hash(password, change.username ?? (await this.get(id)).username);
    const user = await commitChange(this.store, async () => {
      const entry = await this.entry(id);
      const former = entry.value;
      const fields = normalizeUser(mergePatch(fieldsOf(former), changedFields), former.username);
      const joined = fields.groups.filter((group) => !former.groups.includes(group));
      await this.groups.checkAll(joined);
      const endsSessions = newHash !== undefined || changesRights(former, fields);
      const user: User = {
        ...former,
        ...fields,
        passwordHash: newHash ?? former.passwordHash,
        version: former.version + 1,
        epoch: former.epoch + Number(endsSessions),
      };
      if (newHash !== undefined) delete user.hasPrintedPassword;
      if (identity) user.identity = identity;
      checkRecordSize(`change the user "${former.username}"`, user);
      const rename = await this.#rename(former, user);
      const link = identity ? await this.#link(former, identity) : noChange;
      const count = await this.#countAdmins(former, user);
      const alongside = along ? await along(former) : noChange;
      const move = moveMember(id, former.groups, user.groups);
      return {
        result: user,
        build: (operation) =>
          alongside(move(link(count(rename(operation.check(entry)))))).set(entry.key, user),
      };
    });
    await removeSessions(this.store, id, (session) => session.epoch < user.epoch);
    return user;
  }

  /**
   * Rehashes a password that was just verified, unless the stored hash has changed since. Nothing
   * else changes, and sessions go on.
   */
  async rehash(user: User, password: string): Promise<void> {
    const passwordHash = await this.#passwords.hash(password);
    const entry = await this.entry(user.id);
    if (entry.value.passwordHash !== user.passwordHash) return;
    await this.store.atomic((operation) =>
      operation.check(entry).set(entry.key, { ...entry.value, passwordHash })
    );
  }

  /**
   * Removes a user with its sessions and API tokens; its id is never used again.
   *
   * @throws DomainError `not_found`; `last_admin`
   */
  async remove(id: number): Promise<void> {
    await commitChange(this.store, async () => {
      const entry = await this.entry(id);
      const user = entry.value;
      const { counts, replace } = await openUserCounts(this.store);
      const rest = user.perm.admin ? withoutAdmin(counts, `remove "${user.username}"`) : counts;
      const count = replace({ ...rest, users: rest.users - 1 });
      const keys = [entry.key, userNameKey(user.username), factorsKey(id)];
      keys.push(notificationsKey(id), notificationStateKey(id), notificationMailKey(id));
      if (user.home !== "") keys.push(userHomeKey(user.home));
      if (user.identity) keys.push(userIdentityKey(user.identity));
      const forget: AtomicStep = (operation) =>
        keys.reduce((former, key) => former.delete(key), operation);
      const leave = moveMember(id, user.groups, []);
      return {
        result: undefined,
        build: (operation) => forget(leave(count(operation.check(entry)))),
      };
    });
    await removeSessions(this.store, id, () => true);
    await removeApiTokens(this.store, id);
  }

  async #hash(password: string, username: string): Promise<string> {
    const { value } = await this.store.get<Partial<Settings>>(settingsKey());
    checkPolicy(password, username, value?.minimumPasswordLength);
    return await this.#passwords.hash(password);
  }

  async #rename(former: User, user: User): Promise<AtomicStep> {
    if (user.username === former.username) return noChange;
    const reserveName = await reserveKeys(this.store, [userNameKey(user.username)], user);
    return (operation) => reserveName(operation).delete(userNameKey(former.username));
  }

  async #link(former: User, identity: Identity): Promise<AtomicStep> {
    if (former.identity !== undefined) {
      throw new DomainError(
        "exists",
        `Cannot link "${former.username}": the user has another account elsewhere`,
      );
    }
    return await reserveKeys(this.store, [userIdentityKey(identity)], former);
  }

  async #countAdmins(former: User, user: User): Promise<AtomicStep> {
    if (user.perm.admin === former.perm.admin) return noChange;
    const { counts, replace } = await openUserCounts(this.store);
    const next: UserCounts = user.perm.admin
      ? { ...counts, admins: counts.admins + 1 }
      : withoutAdmin(counts, `take "admin" from "${former.username}"`);
    return replace(next);
  }
}
