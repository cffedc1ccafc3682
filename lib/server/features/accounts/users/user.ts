import * as v from "valibot";
import {
  type TokenUser,
  tokenUserSchema,
  type UserFields,
  userFieldsSchema,
  type UserInfo,
} from "../../../../shared/schemas/user.ts";

/** An account elsewhere: its subject never changes and is never given to another account. */
export interface Identity {
  /** The provider of the account, such as the issuer of OpenID Connect; without spaces. */
  issuer: string;
  /** The account's id there: up to 255 characters. */
  subject: string;
}

/** A user to be created, with a password to be checked and hashed, or a bcrypt hash as it is. */
export type UserDraft = UserFields & ({ password: string } | { passwordHash: string });

/** The fields to change; the others stay. `password` is in the clear, `passwordHash` by bcrypt. */
export type UserChange = Partial<UserFields & { password: string; passwordHash: string }>;

/** The id of who acts by the command line, and need be no user. */
export const commandLineId = 0;

/** A user as the store holds it. */
export interface User extends UserFields {
  /** Counts up from 1 and is never reused. */
  id: number;
  /** A bcrypt hash. */
  passwordHash: string;
  /** The home folder claimed at sign-up, case-folded; "" for none. */
  home: string;
  /** Incremented by each change. */
  version: number;
  /** Incremented by changes that end the user's sessions: other epochs are invalid. */
  epoch: number;
  /** The account elsewhere that signs in as this user. */
  identity?: Identity;
  /** The password is the one that the first run has printed, which the log may still hold. */
  hasPrintedPassword?: boolean;
  /** The user has second factors; see `SecondFactors`. Absent in older records. */
  hasFactors?: boolean;
}

const fieldNames = Object.keys(userFieldsSchema.entries) as (keyof UserFields)[];

const tokenFieldNames = Object.keys(tokenUserSchema.entries) as (keyof TokenUser)[];

/** The defaults of all fields; the name is empty. */
export function blankUser(): UserFields {
  return v.getDefaults(userFieldsSchema) as UserFields;
}

/** A user from the store, with defaults for fields newer than the record. */
export function storedUser(record: User): User {
  const isWhole = fieldNames.every((name) => name in record);
  return isWhole ? record : { ...blankUser(), ...record };
}

/** The part of the record that tokens and pages carry. */
export function toTokenUser(user: User): TokenUser {
  return Object.fromEntries(tokenFieldNames.map((name) => [name, user[name]])) as TokenUser;
}

/** The record without secrets. */
export function toUserInfo(user: User): UserInfo {
  return { id: user.id, password: "", ...fieldsOf(user) };
}

/** The fields alone, whatever else the value has. */
export function fieldsOf(user: UserFields): UserFields {
  return Object.fromEntries(fieldNames.map((name) => [name, user[name]])) as UserFields;
}
