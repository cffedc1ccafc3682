import { headerNamed } from "./headers.ts";
import { schemaNamed } from "./references.ts";
import type { Answer, Header, Reference, Schema } from "./types.ts";

type Headers = Record<string, Header | Reference>;

/** A JSON response. */
export function json(description: string, schema: Schema, headers?: Headers): Answer {
  return { description, headers, content: { "application/json": { schema } } };
}

/** A list, or a page of it. */
export function list(description: string, items: Schema): Answer {
  const headers = { Link: headerNamed("NextPage"), "X-Total-Count": headerNamed("TotalCount") };
  return json(description, { type: "array", items }, headers);
}

/** A plain text response. */
export function text(description: string, schema: Schema, headers?: Headers): Answer {
  return { description, headers, content: { "text/plain": { schema } } };
}

/** The plain text response of a call that did what it was asked, with nothing to tell. */
export const done = text("Done.", schemaNamed("Done"));

/** A binary response, in one of these media types. */
export function bytes(description: string, types: readonly string[], headers?: Headers): Answer {
  return { description, headers, content: Object.fromEntries(types.map((type) => [type, {}])) };
}

/** A response without a body. */
export function nothing(description: string, headers?: Headers): Answer {
  return { description, headers };
}
