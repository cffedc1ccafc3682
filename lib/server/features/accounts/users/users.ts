import { DomainError } from "../../../../shared/errors.ts";
import { type AtomicStep, commitChange, noChange } from "../../../core/kv/commit.ts";
import { settingsRecord } from "../../../core/kv/server_records.ts";
import { checkRecordSize } from "../../../core/kv/size.ts";
import type { Store } from "../../../core/kv/store.ts";
import { mergePatch } from "../../../../shared/schemas/read.ts";
import { checkPolicy } from "../passwords/password_policy.ts";
import type { Passwords } from "../passwords/passwords.ts";
import { countUsers, openUserCounts, type UserCounts, withoutAdmin } from "./user_counts.ts";
import { changesRights, normalizeUser } from "./normalize_user.ts";
import { fieldsOf, type Identity, type User, type UserChange, type UserDraft } from "./user.ts";
import { UserReader } from "./user_reader.ts";
import {
  removeApiTokens,
  removeSessions,
  userHomes,
  userIdentities,
  userNames,
  userRecords,
} from "./user_records.ts";

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
    return await countUsers(this.store);
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
      const claim = await this.#claim(user);
      const count = replace({
        nextId: id + 1,
        users: counts.users + 1,
        admins: counts.admins + Number(user.perm.admin),
      });
      const alongside = along ? await along() : noChange;
      return {
        result: user,
        build: (operation) => userRecords.put(alongside(count(claim(operation))), [id], user),
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
      const claim = await this.#claim(user, former);
      const count = await this.#countAdmins(former, user);
      const alongside = along ? await along(former) : noChange;
      return {
        result: user,
        build: (operation) => userRecords.replace(alongside(count(claim(operation))), entry, user),
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
      userRecords.replace(operation, entry, { ...entry.value, passwordHash })
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
      return {
        result: undefined,
        build: (operation) => userRecords.drop(count(operation), entry),
      };
    });
    await removeSessions(this.store, id, () => true);
    await removeApiTokens(this.store, id);
  }

  async #hash(password: string, username: string): Promise<string> {
    const settings = await settingsRecord.get(this.store);
    checkPolicy(password, username, settings?.minimumPasswordLength);
    return await this.#passwords.hash(password);
  }

  /**
   * Claims the name, the home and the account elsewhere of a user: the step checks that each is
   * still free.
   *
   * @throws DomainError `exists` when one is taken, and for a user with another account elsewhere
   */
  async #claim(user: User, former?: User): Promise<AtomicStep> {
    if (former?.identity !== undefined && former.identity !== user.identity) {
      throw new DomainError(
        "exists",
        `Cannot link "${former.username}": the user has another account elsewhere`,
      );
    }
    const claims = (of: User) =>
      [userNames, userHomes, userIdentities].flatMap((index) => index.keys(of, of.id));
    const held = new Set(former && claims(former).map((key) => key.join()));
    const keys = claims(user).filter((key) => !held.has(key.join()));
    if (keys.length === 0) return noChange;
    const entries = await this.store.getMany<number[]>(keys);
    if (entries.some((entry) => entry.value !== null)) {
      throw new DomainError("exists", `Cannot name a user "${user.username}": the name is taken`);
    }
    return (operation) => operation.check(...entries);
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
