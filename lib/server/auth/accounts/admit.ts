import { DomainError } from "../../../shared/errors.ts";
import type { AccountRules } from "../../config/config.ts";
import type { Settings } from "../../settings/settings.ts";
import { admitAccountHolder } from "../../users/sign_up.ts";
import type { Identity, User } from "../../users/user.ts";
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

/** Dependencies of {@linkcode admitAccount}. */
export interface AdmitOptions {
  users: Users;
  settings: Settings;
  rules: AccountRules;
  makeHome: MakeHome;
}

/**
 * The user as whom an account signs in: the one it has signed in as before; else, where the rules
 * say so, the existing user of its name or a new one. Its groups decide each time what the user may
 * do, and which groups here the user is in, where the rules name groups.
 *
 * @throws DomainError `forbidden` when it may not sign in; `exists` when its name is another's;
 * `invalid_name`; `last_admin` when its groups would leave no administrator
 */
export async function admitAccount(account: Account, options: AdmitOptions): Promise<User> {
  const { users, settings, rules } = options;
  const perm = groupPermissions(account.groups, rules.groups, settings);
  if (perm === "none") throw refusal("it is in no group that may");
  const user = await userOf(account, options);
  const isSame = perm === "unchanged" ||
    Object.entries(perm).every(([name, may]) => Reflect.get(user.perm, name) === may);
  const names = rules.groups?.flatMap(({ joins = [] }) => joins) ?? [];
  const known = names.length === 0 ? [] : await users.groups.list();
  const groups = groupsHere(account.groups, rules.groups, user.groups, known);
  const staysIn = groups.join() === user.groups.join();
  if (isSame && staysIn) return user;
  return await users.update(user.id, { ...isSame ? {} : { perm }, groups });
}

async function userOf(account: Account, options: AdmitOptions): Promise<User> {
  const { identity, username } = account;
  const { users, settings, rules, makeHome } = options;
  const known = await users.byIdentity(identity);
  if (known) return known;
  if (username === null) throw refusal("it has no name that can be trusted");
  const namesake = await users.byName(username);
  if (namesake) {
    if (!rules.linkUsers) {
      throw new DomainError("exists", `${failed}: "${username}" is a user here`);
    }
    return await users.link(namesake.id, identity);
  }
  if (!rules.createUsers) throw refusal(`there is no user "${username}"`);
  try {
    return await admitAccountHolder(users, settings, { username, identity }, makeHome);
  } catch (error) {
    // A concurrent first sign-in, in another tab or thread, may have created the user (race).
    const isRace = error instanceof DomainError && error.code === "exists";
    const made = isRace ? await users.byIdentity(identity) : null;
    if (made) return made;
    throw error;
  }
}

const failed = "Cannot sign in by this account";

function refusal(reason: string): DomainError {
  return new DomainError("forbidden", `${failed}: ${reason}`);
}
