import { DomainError } from "../../shared/errors.ts";
import type { Settings } from "../settings/settings.ts";
import { randomPassword } from "../passwords/password_policy.ts";
import { blankUser, type User, type UserDraft } from "./user.ts";
import type { Users } from "./users.ts";
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
 * Creates a user that a trusted proxy named, as if signed up. The password is random and unknown.
 *
 * @throws DomainError `exists`; `invalid_name`
 */
export async function provisionUser(
  users: Users,
  settings: Settings,
  username: string,
  makeHome: MakeHome,
): Promise<User> {
  return await admit(users, settings, { username, password: randomPassword() }, makeHome);
}

async function admit(
  users: Users,
  settings: Settings,
  newcomer: Newcomer,
  makeHome: MakeHome,
): Promise<User> {
  const { createUserDir, defaults } = settings;
  const draft: UserDraft = {
    ...blankUser(),
    ...defaults,
    ...newcomer,
    perm: { ...defaults.perm, admin: false, execute: false },
    commands: [],
  };
  if (!createUserDir && defaults.scope !== "/") return await users.create(draft);
  return await createWithHome(users, draft, settings, makeHome);
}
