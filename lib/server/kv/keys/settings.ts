/** The global settings: one record, less than 64 KiB (`lib/server/kv/size.ts` holds the limit). */
export function settingsKey(): Deno.KvKey {
  return ["settings"];
}
