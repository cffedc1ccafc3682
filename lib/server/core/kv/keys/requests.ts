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
