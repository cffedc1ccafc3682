import type { Answer, Header, MediaType, Reference, Schema } from "./types.ts";
import type { SchemaName } from "./schemas.ts";

/** A reference to one of the document's schemas. */
export function schemaNamed(name: SchemaName): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

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

/** The body of a request with bytes; generated clients leave a call out whose body has no schema. */
export const binary: MediaType = { schema: { type: "string", format: "binary" } };

/** A response without a body. */
export function nothing(description: string, headers?: Headers): Answer {
  return { description, headers };
}

/** The response headers that calls refer to by name. */
export const headers = {
  NextPage: {
    description: 'The address of the next page of a list, with `rel="next"` (RFC 8288); relative ' +
      "to the address of the call. Absent on the last page, and without paging.",
    schema: { type: "string" },
  },
  TotalCount: {
    description: "How many items the whole list has, where that is known.",
    schema: { type: "string", pattern: "^\\d+$" },
  },
  RenewToken: {
    description:
      "`true` when less than half of the session's life is left or its user has changed " +
      "since the token was made: time for `POST /api/renew`.",
    schema: { type: "string", const: "true" },
  },
  SetToken: {
    description: "Keeps the token in the cookie `auth`, out of reach of scripts.",
    required: true,
    schema: {
      type: "string",
      pattern: "^auth=[\\w.-]+; Path=/.*; HttpOnly; SameSite=Lax(; Secure)?$",
    },
  },
  ForgetToken: {
    description: "Has the browser forget the cookie `auth`.",
    required: true,
    schema: { type: "string", pattern: "^auth=; Path=/.*; Max-Age=0; HttpOnly; SameSite=Lax" },
  },
  UserPage: {
    description: "The page on which the user is edited.",
    required: true,
    schema: { type: "string", pattern: "/settings/users/\\d+$" },
  },
  ETag: {
    description: "A strong validator of the file as it is now (RFC 9110, 8.8.3).",
    required: true,
    schema: { type: "string", pattern: '^"[^"]+"$' },
  },
  ContentLocation: {
    description: "Where the entry is now (RFC 9110, 8.7): `rename=true` may have picked its name.",
    required: true,
    schema: { type: "string", pattern: "/api/resources/" },
  },
  LeftOut: {
    description:
      "The first of the pipes, sockets and devices that were not copied or moved with a folder: " +
      "a list of strings (RFC 9651), each the path of an original, percent-encoded.",
    schema: { type: "string", pattern: '^"/[^"]*"(, "/[^"]*")*$' },
  },
  LeftOutCount: {
    description: "The number of entries that were left out; absent if there are none.",
    schema: { type: "string", pattern: "^[1-9]\\d*$" },
  },
  TrashPlace: {
    description: "The deleted entry's address in the trash (RFC 9110, 8.7): `POST` restores it.",
    schema: { type: "string", pattern: "/api/trash/[\\w-]+$" },
  },
  JobPlace: {
    description: "The address of the job.",
    required: true,
    schema: { type: "string", pattern: "/api/jobs/[\\w-]+$" },
  },
  PreferenceApplied: {
    description: "That `Prefer` was heeded (RFC 7240, 3).",
    required: true,
    schema: { type: "string", const: "respond-async" },
  },
  FileTag: {
    description:
      "A strong validator (RFC 9110, 8.8.3); of files and stored zips, not of folders and " +
      "other archives.",
    schema: { type: "string", pattern: '^"[^"]+"$' },
  },
  LastModified: {
    description: "When the file was modified, to the second; archives have no date.",
    schema: { type: "string", pattern: " GMT$" },
  },
  Disposition: {
    description: "`attachment` or `inline`, with the name in ASCII as `filename` and in UTF-8 as " +
      "`filename*` (RFC 6266).",
    required: true,
    schema: {
      type: "string",
      pattern: "^(attachment|inline); filename=\".*\"; filename\\*=UTF-8''",
    },
  },
  Sandbox: {
    description: "A sandbox in which uploaded pages and drawings run no scripts.",
    required: true,
    schema: { type: "string", pattern: "^sandbox" },
  },
  AcceptRanges: {
    description: "Whether the answer supports ranges of bytes.",
    required: true,
    schema: { type: "string", enum: ["bytes", "none"] },
  },
  Length: {
    description: "In bytes; missing where an archive is sent before that is known.",
    schema: { type: "string", pattern: "^\\d+$" },
  },
  Range: {
    description: "Which bytes these are, and of how many; each part of several ranges has its own.",
    schema: { type: "string", pattern: "^bytes \\d+-\\d+/\\d+$" },
  },
  UnsatisfiedRange: {
    description: "How many bytes the file has.",
    required: true,
    schema: { type: "string", pattern: "^bytes \\*/\\d+$" },
  },
  Private: {
    description:
      "Browsers may cache it, but must revalidate unless it is `immutable`, because the " +
      "right to read it may be revoked.",
    required: true,
    schema: { type: "string", pattern: "^private" },
  },
  Unbuffered: {
    description: "Makes proxies send the answer without buffering.",
    required: true,
    schema: { type: "string", const: "no" },
  },
  UploadOffset: {
    description: "The number of bytes received.",
    required: true,
    schema: { type: "string", pattern: "^\\d+$" },
  },
  UploadLength: {
    description: "How many bytes the whole file has.",
    required: true,
    schema: { type: "string", pattern: "^\\d+$" },
  },
  UploadExpires: {
    description: "When the unfinished upload is dropped; absent once it is complete.",
    schema: { type: "string", pattern: " GMT$" },
  },
  UploadPlace: {
    description: "The address of the upload.",
    required: true,
    schema: { type: "string", pattern: "/api/tus/" },
  },
  RetryAfter: {
    description: "Seconds until a new attempt makes sense.",
    required: true,
    schema: { type: "string", pattern: "^[1-9]\\d*$" },
  },
} satisfies Record<string, Header>;

/** A reference to a header in the document's `components`. */
export function headerNamed(name: keyof typeof headers): Reference {
  return { $ref: `#/components/headers/${name}` };
}
