/** The global settings: one record of less than 64 KiB (limited in `lib/server/kv/size.ts`). */
export function settingsKey(): Deno.KvKey {
  return ["settings"];
}
