import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import type { State } from "../define.ts";
import { readBody } from "../request/body.ts";
import { parseJsonObject } from "../request/json_body.ts";

/** The longest body of a call, in bytes: a path, a password, and some words about them. */
const maxBytes = 128 * 1024;

/** Most values in a body of JSON. */
const maxValues = 500;

/** The fields of a call by their names; null counts as absent. */
export type OcsInput = ReadonlyMap<string, string>;

/**
 * Reads the fields of a call: from the query, and from a body in JSON or of a form, which prevails.
 * Unknown ones are there as well: clients send what later versions of their server take.
 *
 * @throws DomainError `body_too_large`; `invalid_json`; `invalid_body`; `wrong_content_type`; `busy`
 */
export async function readOcsInput(ctx: Context<State>): Promise<OcsInput> {
  const fields = new Map(ctx.url.searchParams);
  const body = await readBody(ctx, { bytes: maxBytes });
  if (body.length === 0) return fields;
  const [type = ""] = (ctx.req.headers.get("content-type") ?? "").toLowerCase().split(";");
  if (type.trim() === "application/json") {
    for (const [name, value] of Object.entries(parseJsonObject(body, maxValues))) {
      if (value === null) fields.delete(name);
      else fields.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
    }
    return fields;
  }
  if (!["", "application/x-www-form-urlencoded"].includes(type.trim())) {
    const message = "Cannot read the request: send a form or JSON";
    throw new DomainError("wrong_content_type", message);
  }
  for (const [name, value] of new URLSearchParams(new TextDecoder().decode(body))) {
    fields.set(name, value);
  }
  return fields;
}

/**
 * A field that is true or false; undefined for an absent one.
 *
 * @throws DomainError `invalid_option`
 */
export function flagField(fields: OcsInput, name: string): boolean | undefined {
  const text = fields.get(name)?.toLowerCase();
  if (text === undefined || text === "") return undefined;
  if (["true", "1", "yes"].includes(text)) return true;
  if (["false", "0", "no"].includes(text)) return false;
  throw new DomainError("invalid_option", `Cannot read ${name}: use true or false`);
}
