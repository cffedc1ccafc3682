/** A link that makes a user or sets a password, by the digest of its secret: about 300 bytes. */
export function inviteKey(id: string): Deno.KvKey {
  return ["invites", id];
}

/** Prefix of these links. */
export function invitesPrefix(): Deno.KvKey {
  return ["invites"];
}
