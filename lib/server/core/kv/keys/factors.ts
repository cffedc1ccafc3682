/** The second factors of a user: one record of at most 30 KiB. */
export function factorsKey(userId: number): Deno.KvKey {
  return ["factors", userId];
}
