import type { Permissions, Rule, Sorting, TokenUser, ViewMode } from "../api_types.ts";

/** What is settable about a user besides name and password; the global defaults have it, too. */
export interface UserPreferences {
  /** The user's root: an absolute path below the server's root, "/" for all of it. */
  scope: string;
  /** A language code, or "" for the browser's language. */
  locale: string;
  viewMode: ViewMode;
  /** One click opens, instead of two. */
  singleClick: boolean;
  sorting: Sorting;
  perm: Permissions;
  /** The programs this user may run. */
  commands: string[];
  hideDotfiles: boolean;
  /** Exact dates instead of relative ones. */
  dateFormat: boolean;
}

/** What an administrator settles about a user, without the password. */
export interface UserFields extends UserPreferences {
  username: string;
  /** The user may not change the own password. */
  lockPassword: boolean;
  /** Applied after the global rules. */
  rules: Rule[];
}

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

/** A user as administrators and the user itself see it: everything but the hash and our counts. */
export interface UserInfo extends UserFields {
  id: number;
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
