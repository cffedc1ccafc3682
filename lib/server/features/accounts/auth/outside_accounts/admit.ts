import { DomainError } from "../../../../../shared/errors.ts";
import type { AccountRules } from "../../../../core/config/oidc_options.ts";
import type { Settings } from "../../../../../shared/schemas/settings.ts";
import { admitAccountHolder } from "../../users/sign_up.ts";
import { noChange } from "../../../../core/kv/commit.ts";
import type { Identity, User, UserChange } from "../../users/user.ts";
import type { Users } from "../../users/users.ts";
import type { MakeHome } from "../../users/with_home.ts";
import { groupPermissions, groupsHere } from "./group_permissions.ts";

/** An account elsewhere whose holder was authenticated there. */
export interface Account {
  identity: Identity;
  /** The name that a user of it is to have; null when there is none that can be trusted. */
  username: string | null;
  groups: readonly string[];
}

/** Dependencies of {@linkcode planAdmission}. */
export interface AdmitOptions {
  users: Users;
  settings: Settings;
  rules: AccountRules;
  makeHome: MakeHome;
}

/** How an account signs in. Until `enter` is called nothing has changed. */
export interface Admission {
  /** The user as of now; null for one whom `enter` makes. */
  user: User | null;
  /**
   * Links the account to the user or makes one, with the rights that the account's groups give, in
   * one commit: a refusal leaves nothing.
   *
   * @throws DomainError as {@linkcode planAdmission}
   */
  enter(): Promise<User>;
}

/**
 * Decides as whom an account signs in: as the user it has signed in as before; else, where the
 * rules say so, as the existing user of its name or a new one. Its groups decide each time what the
 * user may do, and which groups here the user is in, where the rules name groups. An administrator
 * is linked by name only where the groups make one of the account, too: a name alone would hand the
 * server to whoever has it elsewhere.
 *
 * @throws DomainError `forbidden` when it may not sign in; `exists` when its name is another's;
 * `invalid_name`; `last_admin` when its groups would leave no administrator
 */
export async function planAdmission(account: Account, options: AdmitOptions): Promise<Admission> {
  const { users, settings, rules, makeHome } = options;
  const { identity, username } = account;
  const perm = groupPermissions(account.groups, rules.groups, settings);
  if (perm === "none") throw refusalError("it is in no group that may sign in");
  const names = rules.groups?.flatMap(({ joins = [] }) => joins) ?? [];
  const there = names.length === 0 ? [] : await users.groups.list();
  const rightsOf = (user: Pick<User, "groups">) => ({
    ...perm === "unchanged" ? {} : { perm },
    groups: groupsHere(account.groups, rules.groups, user.groups, there),
  });

  const known = await users.byIdentity(identity);
  if (known) {
    const rights = rightsOf(known);
    const enter = () => users.update(known.id, rights);
    return { user: known, enter: isSame(known, rights) ? () => Promise.resolve(known) : enter };
  }
  if (username === null) throw refusalError("it has no verified name");
  const namesake = await users.byName(username);
  if (namesake) {
    const assertLinkable = async () => {
      if (!rules.linkUsers || namesake.identity) throw takenError(username);
      const makesAdmin = perm !== "unchanged" && perm.admin;
      if (makesAdmin || !(await users.acting(namesake.id)).perm.admin) return;
      throw refusalError(
        `"${username}" is an administrator, but no group of the account gives that right`,
      );
    };
    await assertLinkable();
    // Asked again in the commit: the user may become an administrator meanwhile.
    const along = async () => (await assertLinkable(), noChange);
    const enter = () => users.update(namesake.id, rightsOf(namesake), { identity, along });
    return { user: namesake, enter };
  }
  if (!rules.createUsers) throw refusalError(`there is no user "${username}"`);
  return {
    user: null,
    async enter() {
      const newcomer = { username, identity, ...rightsOf({ groups: [] }) };
      try {
        return await admitAccountHolder(users, settings, newcomer, makeHome);
      } catch (error) {
        // A concurrent first sign-in, in another tab or thread, may have created the user (race).
        const isRace = error instanceof DomainError && error.code === "exists";
        const made = isRace ? await users.byIdentity(identity) : null;
        if (made) return made;
        throw error;
      }
    },
  };
}

function isSame(user: User, { perm, groups }: Pick<UserChange, "perm" | "groups">): boolean {
  return groups?.join() === user.groups.join() &&
    Object.entries(perm ?? {}).every(([name, may]) => Reflect.get(user.perm, name) === may);
}

/**
 * The result of what decides about a sign-in; null when that refuses.
 *
 * @param note takes the reason, for the log: it is not for the visitor
 */
export async function unlessRefused<T>(
  note: (reason: string) => void,
  decide: () => Promise<T>,
): Promise<T | null> {
  try {
    return await decide();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    note(error.message);
    return null;
  }
}

const failed = "Cannot sign in by this account";

function takenError(username: string): DomainError {
  return new DomainError("exists", `${failed}: "${username}" is a user here`);
}

function refusalError(reason: string): DomainError {
  return new DomainError("forbidden", `${failed}: ${reason}`);
}
