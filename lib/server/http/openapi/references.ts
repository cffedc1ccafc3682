import type { SchemaName } from "./schemas.ts";
import type { Schema } from "./types.ts";

/** A reference to one of the document's schemas. */
export function schemaNamed(name: SchemaName): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
