/** The server's stored start options: one record of at most 40 KiB. */
export function serverOptionsKey(): Deno.KvKey {
  return ["server_options"];
}
