/** A request for files by its hash, at most 24 KiB: two paths, a bcrypt hash, a note and limits. */
export function requestKey(hash: string): Deno.KvKey {
  return ["requests", hash];
}

/** Prefix of requests for files. */
export function requestsPrefix(): Deno.KvKey {
  return ["requests"];
}

/** The uploads to a request, at most 32 KiB: counts, and those under way. */
export function requestUseKey(hash: string): Deno.KvKey {
  return ["request_uses", hash];
}

/** An upload by a visitor, at most 9 KiB: its path. The id is the visitor's capability for it. */
export function requestUploadKey(hash: string, id: string): Deno.KvKey {
  return ["request_uploads", hash, id];
}

/** Prefix of the uploads of one request; without a hash, of all. */
export function requestUploadsPrefix(hash?: string): Deno.KvKey {
  return hash === undefined ? ["request_uploads"] : ["request_uploads", hash];
}

/** The index of requests by user: empty values. */
export function userRequestKey(userId: number, hash: string): Deno.KvKey {
  return ["user_requests", userId, hash];
}

/** Prefix of the index of a user's requests; without one, of all users'. */
export function userRequestsPrefix(userId?: number): Deno.KvKey {
  return userId === undefined ? ["user_requests"] : ["user_requests", userId];
}

/**
 * The index of requests by path: empty values. The key has a digest of each segment; readers compare
 * the path itself.
 */
export function requestPlaceKey(segments: Uint8Array[], hash: string): Deno.KvKey {
  return ["request_places", ...segments, hash];
}

/** Prefix of the requests at or below a path, apart from hash collisions. */
export function requestPlacesPrefix(segments: Uint8Array[]): Deno.KvKey {
  return ["request_places", ...segments];
}
