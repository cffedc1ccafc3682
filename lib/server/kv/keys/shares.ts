/** A share by its hash, at most 19 KiB: the id of its target, a bcrypt hash and its terms. */
export function shareKey(hash: string): Deno.KvKey {
  return ["shares", hash];
}

/** Prefix of shares. */
export function sharesPrefix(): Deno.KvKey {
  return ["shares"];
}

/** The index of shares by user: empty values. */
export function userShareKey(userId: number, hash: string): Deno.KvKey {
  return ["user_shares", userId, hash];
}

/** Prefix of the index of a user's shares; without one, of all users'. */
export function userSharesPrefix(userId?: number): Deno.KvKey {
  return userId === undefined ? ["user_shares"] : ["user_shares", userId];
}

/**
 * What a user shares, by the id of the target, at most 18 KiB: two paths. All shares of one entry by
 * one user lead to it, so that a move of the entry changes one record, however many they are.
 */
export function shareTargetKey(target: string): Deno.KvKey {
  return ["share_targets", target];
}

/** Prefix of the targets of shares. */
export function shareTargetsPrefix(): Deno.KvKey {
  return ["share_targets"];
}

/** The index of shares by their target: empty values. */
export function targetShareKey(target: string, hash: string): Deno.KvKey {
  return ["target_shares", target, hash];
}

/** Prefix of the shares that lead to a target; without one, of all. */
export function targetSharesPrefix(target?: string): Deno.KvKey {
  return target === undefined ? ["target_shares"] : ["target_shares", target];
}

/**
 * The index of targets by path: empty values. Paths may be longer than keys, so the key has a digest
 * of each segment; readers compare the path itself.
 */
export function sharePlaceKey(segments: Uint8Array[], target: string): Deno.KvKey {
  return ["share_places", ...segments, target];
}

/** Prefix of the targets at or below a path, apart from hash collisions. */
export function sharePlacesPrefix(segments: Uint8Array[]): Deno.KvKey {
  return ["share_places", ...segments];
}

/**
 * The index of targets by user, folder and name: when the last of its shares ends. The key has a
 * digest of the folder's path.
 */
export function shareMarkKey(
  userId: number,
  folder: Uint8Array,
  name: string,
  target: string,
): Deno.KvKey {
  return ["share_marks", userId, folder, name, target];
}

/** Prefix of the targets of a user in a folder, or of one name there; without a user, of all. */
export function shareMarksPrefix(userId?: number, folder?: Uint8Array, name?: string): Deno.KvKey {
  return ["share_marks", ...[userId, folder, name].filter((part) => part !== undefined)];
}

/** The index of shares by the name that their owner has chosen: contains the hash only. */
export function shareNameKey(name: string): Deno.KvKey {
  return ["share_names", name];
}

/** Prefix of the index of names. */
export function shareNamesPrefix(): Deno.KvKey {
  return ["share_names"];
}

/** The index of shares by those they are for, a user or a group: empty values. */
export function shareAudienceKey(kind: "user" | "group", id: number, hash: string): Deno.KvKey {
  return ["share_audience", kind, id, hash];
}

/** Prefix of the shares for one user, or for one group. */
export function shareAudiencePrefix(kind?: "user" | "group", id?: number): Deno.KvKey {
  return ["share_audience", ...[kind, id].filter((part) => part !== undefined)];
}

/** How often a user has looked up names lately, about 50 bytes. */
export function nameLookupsKey(userId: number): Deno.KvKey {
  return ["name_lookups", userId];
}

/** Prefix of the counts of lookups. */
export function nameLookupsPrefix(): Deno.KvKey {
  return ["name_lookups"];
}

/** How a share was used, at most 16 KiB: its counts and the downloads that may be continued. */
export function shareUseKey(hash: string): Deno.KvKey {
  return ["share_uses", hash];
}

/** Prefix of the records of how shares were used. */
export function shareUsesPrefix(): Deno.KvKey {
  return ["share_uses"];
}
