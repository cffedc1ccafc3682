import type { TokenUser, UserFields, UserInfo, UserPreferences } from "../../shared/api_types.ts";

export type { UserFields, UserInfo, UserPreferences };

/** A user to be created, with a password to be checked and hashed, or a bcrypt hash as it is. */
export type UserDraft = UserFields & ({ password: string } | { passwordHash: string });

/** The fields to change; the others stay. `password` is in the clear, `passwordHash` by bcrypt. */
export type UserChange = Partial<UserFields & { password: string; passwordHash: string }>;

/** A user as the store holds it. */
export interface User extends UserFields {
  /** Counts up from 1 and is never given to another user. */
  id: number;
  /** A bcrypt hash. */
  passwordHash: string;
  /** The home folder claimed at signup, case folded; "" for none. */
  home: string;
  /** One more at each change. */
  version: number;
  /** One more at each change that ends the user's sessions: a session of another epoch is dead. */
  epoch: number;
}

/** What a token and every page say about the user who is signed in. */
export function toTokenUser(user: User): TokenUser {
  return {
    id: user.id,
    username: user.username,
    locale: user.locale,
    viewMode: user.viewMode,
    singleClick: user.singleClick,
    dateFormat: user.dateFormat,
    hideDotfiles: user.hideDotfiles,
    perm: user.perm,
    commands: user.commands,
    lockPassword: user.lockPassword,
  };
}

/** The record without what must not leave the server. */
export function toUserInfo(user: User): UserInfo {
  return { id: user.id, ...fieldsOf(user) };
}

/** The fields alone, whatever else the value has. */
export function fieldsOf(user: UserFields): UserFields {
  const { username, scope, locale, lockPassword, perm, commands, rules } = user;
  const { hideDotfiles, singleClick, dateFormat, viewMode, sorting } = user;
  return {
    username,
    scope,
    locale,
    lockPassword,
    perm,
    commands,
    rules,
    hideDotfiles,
    singleClick,
    dateFormat,
    viewMode,
    sorting,
  };
}
