/** The options that a server starts with unless others are given: one record of at most 40 KiB. */
export function serverOptionsKey(): Deno.KvKey {
  return ["server_options"];
}
