import { DomainError } from "../../../../shared/errors.ts";
import { mergePatch, type Patch } from "../../../../shared/schemas/read.ts";
import type { Settings } from "../../../../shared/schemas/settings.ts";
import type { UserFields } from "../../../../shared/schemas/user.ts";
import { randomPassword } from "../passwords/password_policy.ts";
import { blankUser, type Identity, type User } from "./user.ts";
import type { CreateOptions, Users } from "./users.ts";
import { createWithHome, type MakeHome } from "./with_home.ts";

/** The input of the sign-up form. */
export interface Newcomer {
  username: string;
  password: string;
}

/**
 * Creates a user for a visitor: with the default rights, but never an administrator's or those to
 * run programs, and with a home folder when the settings say so or the default scope is everything.
 *
 * @throws DomainError `forbidden` when signing up is off; `exists` when the name, or the home that
 * follows from it, is taken; `invalid_name`; `invalid_password`
 */
export async function signUp(
  users: Users,
  settings: Settings,
  newcomer: Newcomer,
  makeHome: MakeHome,
): Promise<User> {
  if (!settings.signup) {
    throw new DomainError("forbidden", "Cannot sign up: an administrator has to add you");
  }
  return await admit(users, settings, newcomer, makeHome);
}

/**
 * Creates a user for an account elsewhere, as if signed up. The password is random and unknown, and
 * stays so: one of the user's own would outlast the account.
 *
 * @param rights those that the account's groups give, in place of the defaults
 *
 * @throws DomainError `exists` when the name, the home that follows from it, or the account has a
 * user; `invalid_name`
 */
export async function admitAccountHolder(
  users: Users,
  settings: Settings,
  { username, identity, ...rights }:
    & { username: string; identity: Identity }
    & Partial<Pick<UserFields, "perm" | "groups">>,
  makeHome: MakeHome,
): Promise<User> {
  const newcomer = { username, password: randomPassword() };
  const fields = { lockPassword: true, ...rights };
  return await admit(users, settings, newcomer, makeHome, { identity }, fields);
}

/**
 * Creates a user that a trusted proxy or program named, as if signed up. The password is random and
 * unknown.
 *
 * @param said the fields that a program says of the user, in place of the defaults
 * @throws DomainError `exists`; `invalid_name`; as `Users.create()` for the fields
 */
export async function provisionUser(
  users: Users,
  settings: Settings,
  username: string,
  makeHome: MakeHome,
  said: Patch<UserFields> = {},
): Promise<User> {
  return await admit(users, settings, { username, password: randomPassword() }, makeHome, {}, said);
}

/**
 * Creates the user whom an administrator has invited, as if signed up, whether visitors
 * may do that or not.
 *
 * @param along uses the invitation up
 * @throws DomainError `exists`; `invalid_name`; `invalid_password`
 */
export async function admitInvited(
  users: Users,
  settings: Settings,
  newcomer: Newcomer,
  makeHome: MakeHome,
  along: CreateOptions["along"],
): Promise<User> {
  return await admit(users, settings, newcomer, makeHome, { along });
}

/** The permissions of users not made by an administrator: the defaults without special rights. */
export function newcomersRights({ defaults }: Pick<Settings, "defaults">): User["perm"] {
  return { ...defaults.perm, admin: false, execute: false };
}

async function admit(
  users: Users,
  settings: Settings,
  newcomer: Newcomer,
  makeHome: MakeHome,
  options: Pick<CreateOptions, "identity" | "along"> = {},
  said: Patch<UserFields> = {},
): Promise<User> {
  const { createUserDir, defaults } = settings;
  const draft = mergePatch<UserFields & { password: string }>({
    ...blankUser(),
    ...defaults,
    ...newcomer,
    perm: newcomersRights(settings),
    commands: [],
  }, said);
  const hasPlace = said.scope !== undefined || draft.roots.length > 0;
  if (hasPlace || !createUserDir && defaults.scope !== "/") {
    return await users.create(draft, options);
  }
  return await createWithHome(users, draft, settings, makeHome, options);
}
