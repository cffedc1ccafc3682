import { isoOf } from "../../../../shared/time.ts";
import { pathIn } from "../../../../shared/named_roots.ts";
import { digestOf, secretWithId } from "../../../core/kv/random_id.ts";
import type { ApiTokenInfo } from "../../../../shared/schemas/api_token.ts";
import { type EntryPath } from "../../../../shared/path.ts";
import {
  type PermissionName,
  permissionsWhere,
} from "../../../../shared/schemas/choices/choices.ts";
import type { User } from "../users/user.ts";

/** The prefix of every API token, by which scanners for leaked secrets recognise one. */
const prefix = "cubby_";

/** A secret of 256 bits in base64url, after the prefix. */
const spelling = /^cubby_[\w-]{43}$/;

/** An API token as the store holds it: never the secret. Times are in milliseconds since 1970. */
export interface ApiToken {
  /** The SHA-256 digest of the whole token, in base64url. */
  id: string;
  userId: number;
  name: string;
  write: boolean;
  share: boolean;
  /** The folder below which alone it works, from the server's root on; null for all. */
  place: EntryPath | null;
  created: number;
  expires: number | null;
  /** At most a minute behind; null before the first use. */
  lastUsed: number | null;
}

/**
 * A user as one acts now: with the permissions and the bounds of what one has signed in with, which
 * may be an API token. All access is built from this.
 */
export interface ActingUser extends User {
  /** The folder in the user's scope below which alone the user acts; absent for all. */
  within?: EntryPath;
  /** In place of `within`: such a folder, from which the user's paths are counted. */
  base?: EntryPath;
  /** Whether the user comes by a client that has to see the files of macOS. */
  seesCompanions?: boolean;
}

/** The permissions of a token that may change files, besides reading. */
export const writingPermissions: readonly PermissionName[] = [
  ...["create", "rename", "modify", "delete"] as const,
];

/** Whether a text claims to be an API token: no other credential begins like that. */
export function looksLikeApiToken(text: string): boolean {
  return text.startsWith(prefix);
}

/** A new token, and its id. */
export function makeSecret(): { secret: string; id: string } {
  return secretWithId(prefix);
}

/** The id of a token, by which the store knows it; null for what can be none. */
export function idOfSecret(secret: string): string | null {
  return spelling.test(secret) ? digestOf(secret) : null;
}

/** Whether a token is over. @param now milliseconds since 1970 */
export function hasEnded({ expires }: Pick<ApiToken, "expires">, now: number): boolean {
  return expires !== null && expires <= now;
}

/**
 * The user as a token lets one act: with the permissions that both have at this moment, never as an
 * administrator, without commands, and below the token's folder alone.
 *
 * @returns null when the folder is outside of the user's scope by now
 */
export function actingUser(user: User, token: ApiToken): ActingUser | null {
  const given = (name: PermissionName) =>
    name === "download" || (name === "share" && token.share) ||
    (writingPermissions.includes(name) && token.write);
  const perm = permissionsWhere((name) => given(name) && (user.perm.admin || user.perm[name]));
  if (token.place === null) return { ...user, perm, commands: [] };
  const within = folderOf(user, token.place);
  return within === null ? null : { ...user, perm, commands: [], within };
}

/**
 * A user who finds the folder of the token as the top of all: sync clients list that before they sync
 * any folder in it.
 */
export function atOwnTop({ within, ...user }: ActingUser): ActingUser {
  return within === undefined ? user : { ...user, base: within };
}

/** A token as its owner sees it. */
export function toApiTokenInfo(
  token: ApiToken,
  owner: Pick<User, "scope" | "roots">,
): ApiTokenInfo {
  const { id, name, write, share, place, created, expires, lastUsed, userId } = token;
  return {
    ...{ id, name, write, share },
    folder: place === null ? null : folderOf(owner, place),
    bound: place !== null,
    userID: userId,
    created: isoOf(created),
    expires: expires === null ? null : isoOf(expires),
    lastUsed: lastUsed === null ? null : isoOf(lastUsed),
  };
}

/** A place as a path in a user's scope; null outside of it. */
function folderOf(user: Pick<User, "scope" | "roots">, place: EntryPath): EntryPath | null {
  return pathIn(user, place);
}
