import { checksumNames, groupings, sortKeys } from "../../../shared/schemas/choices/choices.ts";
import type { Parameter, Reference } from "./types.ts";

/** The parameters that calls refer to by name. */
export const parameters = {
  Path: {
    name: "path",
    in: "path",
    required: true,
    description: "The path of an entry in the user's scope, with each segment percent-encoded " +
      "once; empty for the root. A slash at the end means a folder.",
    schema: { type: "string" },
    example: "photos/sea%20and%20sky.jpg",
  },
  PathInQuery: {
    name: "path",
    in: "query",
    description: "The path in place of the one in the address, which is left empty then: for " +
      "clients that encode its slashes. Encoded once, as any value of a query.",
    schema: { type: "string" },
    example: "photos/sea and sky.jpg",
  },
  Override: {
    name: "override",
    in: "query",
    description: "`true` replaces a file of that name.",
    schema: { type: "boolean", default: false },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: "Refuses (412) unless the present file has one of these tags, or with `*` exists.",
    schema: { type: "string" },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "Answers 304 if the file still has one of these tags.",
    schema: { type: "string" },
  },
  IfModifiedSince: {
    name: "If-Modified-Since",
    in: "header",
    description: "Answers 304 if the file is not newer; only without `If-None-Match`.",
    schema: { type: "string" },
  },
  IfUnmodifiedSince: {
    name: "If-Unmodified-Since",
    in: "header",
    description: "Refuses (412) if the file is newer; only without `If-Match`.",
    schema: { type: "string" },
  },
  Prefer: {
    name: "Prefer",
    in: "header",
    description: "How long to wait for the answer (RFC 7240), up to 60 seconds: with " +
      "`respond-async, wait=10` an operation that takes longer than ten seconds " +
      "continues as a job; without `wait`, immediately.",
    schema: { type: "string" },
    example: "respond-async, wait=10",
  },
  UploadJob: {
    name: "job",
    in: "query",
    description:
      "An id that the client chooses, such as a UUID. Uploads with the same id are one " +
      "job, to be undone as one. For an upload in parts, send it with each request that " +
      "has bytes.",
    schema: { type: "string", pattern: "^[\\w-]{8,64}$" },
  },
  Inline: {
    name: "inline",
    in: "query",
    description: "`true` shows the file in the browser instead of saving it.",
    schema: { type: "boolean", default: false },
  },
} satisfies Record<string, Parameter>;

/** A reference to a parameter in the document's `components`. */
export function parameterNamed(name: keyof typeof parameters): Reference {
  return { $ref: `#/components/parameters/${name}` };
}

/** The parameters of a page of a list, the latest first. @param limit the bounds of the page */
export function pageParameters(limit: string): Parameter[] {
  return [
    {
      name: "before",
      in: "query",
      description: "`next` of the previous page.",
      schema: { type: "string" },
    },
    {
      name: "limit",
      in: "query",
      description: `How many to list at most; ${limit}.`,
      schema: { type: "integer", minimum: 0 },
    },
  ];
}

/** The parameters by which a list is read in pages. @param searched the text that is searched */
export function listParameters(searched: string): Parameter[] {
  return [
    {
      name: "limit",
      in: "query",
      description: "How many to list at most, up to 1,000; 100 when another of these is given. " +
        "Without any of them all are listed.",
      schema: { type: "integer", minimum: 0 },
    },
    {
      name: "after",
      in: "query",
      description: "The position after which the page starts, from the `Link` of the page before.",
      schema: { type: "string" },
    },
    {
      name: "query",
      in: "query",
      description: `Words that must all be in ${searched}, whatever their case. A page may have ` +
        "fewer items than `limit`, or none, although others follow: the search continues on the " +
        "next page.",
      schema: { type: "string" },
    },
  ];
}

/** The headers of a conditional GET. */
export const conditions: Reference[] = [
  parameterNamed("IfNoneMatch"),
  parameterNamed("IfModifiedSince"),
  parameterNamed("IfMatch"),
  parameterNamed("IfUnmodifiedSince"),
];

/** The order of a listing, and its direction. */
export const sortParameters: Parameter[] = [
  {
    name: "sort",
    in: "query",
    description:
      "What to sort by; by default the user's choice. `taken` is when a picture or video was taken, " +
      "by its own clock, or else when a file was modified.",
    schema: { type: "string", enum: sortKeys },
  },
  {
    name: "order",
    in: "query",
    description: "The order; by default the user's choice.",
    schema: { type: "string", enum: ["asc", "desc"] },
  },
];

/** The part of a folder's entries to describe. */
const partParameters: Parameter[] = [
  {
    name: "offset",
    in: "query",
    description: "How many of a folder's entries to skip.",
    schema: { type: "integer", minimum: 0, default: 0 },
  },
  {
    name: "limit",
    in: "query",
    description: "How many of a folder's entries to return; all by default.",
    schema: { type: "integer", minimum: 0 },
  },
];

/** Which entries of a folder are listed. */
export const filterParameter: Parameter = {
  name: "filter",
  in: "query",
  description: "Words that must all be in the name, in any case: only such entries of a folder " +
    "are listed and counted.",
  schema: { type: "string" },
};

/** How the entries of a folder are grouped. */
export const groupParameter: Parameter = {
  name: "groupBy",
  in: "query",
  description:
    "Groups a folder's entries, folders first: by kinds of files, or by months or days " +
    "of modification in the time zone of the cookie `tz`; sorted by `taken`, by those of taking.",
  schema: { type: "string", enum: groupings },
};

/** The part of a folder's entries to describe, and their order. */
export const folderParameters: Parameter[] = [
  ...partParameters,
  {
    name: "around",
    in: "query",
    description: "The name of an entry: returns the window of `limit` entries, counted from the " +
      "first, that contains it. Without such an entry, `offset` applies.",
    schema: { type: "string" },
  },
  {
    name: "startsWith",
    in: "query",
    description:
      "The beginning of a name, in any case: returns the window of `limit` entries with " +
      "the first such entry from `offset` on, or else of all. Without such an entry, " +
      "`offset` applies, and the answer has no `offset`.",
    schema: { type: "string" },
  },
  filterParameter,
  ...sortParameters,
  groupParameter,
];

/** The part of a folder's entries to describe, their order, and what to add about them. */
export const windowParameters: Parameter[] = [
  ...folderParameters,
  {
    name: "view",
    in: "query",
    description: "`true` adds your view of the folder and its number of pictures, and sorts and " +
      "groups by that view, unless `sort` or `groupBy` is given.",
    schema: { type: "boolean", default: false },
  },
  {
    name: "sizes",
    in: "query",
    description: "`true` sorts folders by the known sizes of everything below them, with " +
      "`sort=size`; the others come last, and `uncounted` is their number. Otherwise by what " +
      "the disk says of the folder itself.",
    schema: { type: "boolean", default: false },
  },
  {
    name: "checksum",
    in: "query",
    description: "Adds this digest of a file's content; needs the permission to download.",
    schema: { type: "string", enum: checksumNames },
  },
];
