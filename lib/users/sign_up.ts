import type { EntryPath } from "../access/path.ts";
import { DomainError } from "../errors.ts";
import { foldName } from "../rules/fold.ts";
import type { Settings } from "../settings/settings.ts";
import { homeOf } from "./home.ts";
import { randomPassword } from "./random_password.ts";
import type { User, UserDraft } from "./user.ts";
import type { Users } from "./users.ts";

/** What a visitor fills in. */
export interface Newcomer {
  username: string;
  password: string;
}

/**
 * Makes the folder of a new user; throws `exists` when there is one of that name, in any case of
 * its letters: it is somebody's, or was.
 */
export type MakeHome = (home: EntryPath) => Promise<void>;

/**
 * Lets a visitor become a user: with the default rights, but never an administrator's or those to
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
 * Makes a user of somebody whom a trusted proxy named, as if signed up. Nobody knows its password.
 *
 * @throws DomainError `exists`; `invalid_name`
 */
export async function admitNamed(
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
  if (!createUserDir && defaults.scope !== "/") {
    return await users.create(draftOf(newcomer, settings, defaults.scope));
  }
  const home = homeOf(newcomer.username, defaults.scope);
  const claim = foldName(home);
  const others = await users.list();
  if (others.some((user) => foldName(user.scope) === claim)) throw taken(newcomer.username);

  const user = await users.create(draftOf(newcomer, settings, home), { home: claim });
  try {
    await makeHome(home);
  } catch (error) {
    await users.remove(user.id);
    throw error;
  }
  return user;
}

function draftOf(newcomer: Newcomer, { defaults }: Settings, scope: string): UserDraft {
  return {
    ...defaults,
    ...newcomer,
    scope,
    perm: { ...defaults.perm, admin: false, execute: false },
    commands: [],
    lockPassword: false,
    rules: [],
  };
}

function taken(username: string): DomainError {
  return new DomainError("exists", `Cannot name a user "${username}": the name is taken`);
}
