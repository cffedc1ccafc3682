/** The number of the last migration that ran: one small record for the whole store. */
export function schemaKey(): Deno.KvKey {
  return ["schema"];
}
