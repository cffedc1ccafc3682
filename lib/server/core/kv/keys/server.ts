/** The server's stored start options: one record of at most 40 KiB. */
export function serverOptionsKey(): Deno.KvKey {
  return ["server_options"];
}

/** The number of the last migration that ran: one small record for the whole store. */
export function schemaKey(): Deno.KvKey {
  return ["schema"];
}

/** How far the last migration has filled an index: one small record, until it is filled. */
export function backfillKey(): Deno.KvKey {
  return ["schema_backfill"];
}

/** The global settings: one record of less than 64 KiB (limited in `lib/server/core/kv/size.ts`). */
export function settingsKey(): Deno.KvKey {
  return ["settings"];
}
