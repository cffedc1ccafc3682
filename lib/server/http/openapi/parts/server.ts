import type { Schema } from "../types.ts";

export function statusSchema(word: string): Schema {
  return {
    type: "object",
    required: ["status"],
    properties: { status: { type: "string", const: word } },
  };
}
