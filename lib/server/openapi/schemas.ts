import {
  type Entry,
  type EntryType,
  type ErrorBody,
  type Permissions,
  type Resource,
  type SessionInfo,
  type ShareInfo,
  type ShareWithToken,
  type Sorting,
  sortKeys,
  type TokenUser,
  type Usage,
  viewModes,
} from "../../shared/api_types.ts";
import { checksumAlgorithms } from "../files/content/checksum.ts";
import type { SessionClaims } from "../auth/tokens.ts";
import { objectOf, schemaNamed } from "./object_of.ts";
import { userSchemas } from "./user_schemas.ts";
import type { Schema } from "./types.ts";

const truth: Schema = { type: "boolean" };
const words: Schema = { type: "string" };
const count: Schema = { type: "integer", minimum: 0 };
const time: Schema = {
  type: "string",
  format: "date-time",
  description: "RFC 3339 in UTC, to the millisecond.",
};

const entryTypes = [
  "listing",
  "image",
  "audio",
  "video",
  "pdf",
  "text",
  "textImmutable",
  "blob",
  "invalid_link",
] as const satisfies EntryType[];

const entry: { [K in keyof Entry]-?: Schema } = {
  name: { type: "string", description: 'The last segment of the path; "" for the root.' },
  path: {
    type: "string",
    pattern: "^/",
    description: "The path inside the user's scope, not percent-encoded.",
    examples: ["/photos/sea.jpg"],
  },
  isDir: truth,
  isSymlink: truth,
  type: {
    type: "string",
    enum: entryTypes,
    description:
      "The kind, which decides how a client opens it. `textImmutable` is text that the " +
      "user may not change; `invalid_link` a link that leads nowhere.",
  },
  size: { ...count, description: "In bytes; of a folder what the disk says of the folder itself." },
  modified: time,
  extension: {
    type: "string",
    description: 'With its dot, in lower case; "" when there is none.',
    examples: [".jpg"],
  },
  mode: { ...count, maximum: 0o7777, description: "The permission bits as a number: 420 is 0644." },
};

const share: { [K in keyof ShareInfo]: Schema } = {
  hash: { type: "string", pattern: "^[\\w-]{22}$", description: "Who knows it may come." },
  path: {
    type: "string",
    pattern: "^/",
    description: "In one's own scope; of others' shares, below the server's root.",
  },
  userID: { type: "integer", minimum: 1 },
  expire: { ...count, description: "Seconds since 1970; 0 for ever." },
  hasPassword: truth,
};

const permissions: { [K in keyof Permissions]: Schema } = {
  admin: { ...truth, description: "Implies all the others." },
  create: truth,
  delete: truth,
  download: truth,
  execute: truth,
  modify: truth,
  rename: truth,
  share: truth,
};

/** The schemas that calls refer to by name. */
export const schemas = {
  Entry: objectOf<Entry>("A file or folder in a listing.", entry, {}),

  Resource: objectOf<Omit<Resource, "version">>(
    "A file or folder. A folder has `items`, `numDirs`, `numFiles` and `sorting`; a text file up to " +
      "10 MiB has `content`, if the user may download; a video has `subtitles`.",
    {
      ...entry,
      items: {
        type: "array",
        items: schemaNamed("Entry"),
        description: "The asked window of the folder's entries, in order; folders come first.",
      },
      numDirs: { ...count, description: "Folders in the whole folder, whatever the window." },
      numFiles: { ...count, description: "Files in the whole folder, whatever the window." },
      sorting: schemaNamed("Sorting"),
      offset: { ...count, description: "Where the window begins, when `around` looked for it." },
      content: {
        type: "string",
        description:
          "The text of the file, in whatever encoding it is kept, without a byte order " +
          "mark.",
      },
      encoding: {
        type: "string",
        description: "How the text is kept, to be given back as `encoding` when it is saved. It " +
          "ends in `-bom` when the file begins with a byte order mark.",
        examples: ["utf-8", "utf-16le-bom", "windows-1252"],
      },
      lineEnding: {
        type: "string",
        enum: ["lf", "crlf", "cr", "mixed"],
        description: "How the lines of the text end.",
      },
      subtitles: {
        type: "array",
        items: { type: "string", pattern: "^/" },
        description: "The paths of the files with subtitles that belong to the video.",
      },
      checksums: {
        type: "object",
        propertyNames: { enum: checksumAlgorithms },
        additionalProperties: { type: "string", pattern: "^[0-9a-f]+$" },
        description: "The digest that was asked for, in hexadecimal digits, by algorithm.",
      },
    },
    {
      items: true,
      numDirs: true,
      numFiles: true,
      sorting: true,
      offset: true,
      content: true,
      encoding: true,
      lineEnding: true,
      subtitles: true,
      checksums: true,
    },
  ),

  Sorting: objectOf<Sorting>("The order of a listing.", {
    by: { type: "string", enum: sortKeys },
    asc: { ...truth, description: "A to Z, small to large, old to new." },
  }, {}),

  Usage: objectOf<Usage>(
    "The disk that holds a path, in bytes.",
    { total: count, used: count },
    {},
  ),

  SearchResult: objectOf<{ path: string; dir: boolean }>("One entry that was found.", {
    path: { type: "string", description: "Counted from the searched folder, no slash before it." },
    dir: { ...truth, description: "Whether it is a folder." },
  }, {}),

  Share: objectOf<ShareInfo>("What somebody lets others have by a link.", share, {}),

  ShareWithToken: objectOf<ShareWithToken>("A share, with what its download link needs.", {
    ...share,
    token: {
      type: "string",
      description: "Opens the share for two hours, in place of the password; empty without one.",
    },
  }, {}),

  SharedEntry: {
    type: "object",
    description: "What is shared, or an entry in it: a `Resource` whose paths count from what is " +
      "shared, without text.",
    required: ["hash", "token", ...Object.keys(entry)],
    properties: {
      ...entry,
      items: { type: "array", items: schemaNamed("Entry") },
      numDirs: count,
      numFiles: count,
      sorting: schemaNamed("Sorting"),
      subtitles: { type: "array", items: words },
      hash: words,
      token: {
        type: "string",
        pattern: "^([\\w-]+\\.[\\w-]+\\.[\\w-]+)?$",
        description: "Opens the share in `?token=` for two hours; empty when it has no password.",
      },
    },
  },

  Session: objectOf<SessionInfo>("One of one's own sessions.", {
    sid: { type: "string", pattern: "^[\\w-]+$" },
    created: time,
    lastSeen: { ...time, description: "At most a minute behind." },
    address: { type: "string", description: "The client's, when the session began." },
    agent: { type: "string", description: "The `User-Agent` header of then." },
    current: { ...truth, description: "Whether this very request was made in it." },
  }, {}),

  Permissions: objectOf<Permissions>("What a user may do.", permissions, {}),

  ...userSchemas,

  TokenUser: objectOf<TokenUser>("What a token says of its user.", {
    id: { type: "integer", minimum: 1 },
    username: words,
    locale: { type: "string", description: 'A language; "" for the browser\'s.' },
    viewMode: { type: "string", enum: viewModes },
    singleClick: truth,
    dateFormat: { ...truth, description: "Exact dates rather than relative ones." },
    hideDotfiles: truth,
    perm: schemaNamed("Permissions"),
    commands: { type: "array", items: words, description: "The programs that the user may run." },
    lockPassword: truth,
  }, {}),

  TokenClaims: objectOf<SessionClaims>("What the second part of a token says, once decoded.", {
    sid: { type: "string", description: "The session; the token counts only while that lives." },
    gen: { type: "integer", minimum: 1, description: "The generation: one more at each renewal." },
    ver: { ...count, description: "The version of the user's record." },
    user: schemaNamed("TokenUser"),
    iat: { ...count, description: "When it was made, in seconds since 1970." },
    exp: { ...count, description: "When it ends, in seconds since 1970." },
  }, {}),

  Token: {
    type: "string",
    pattern: "^[\\w-]+\\.[\\w-]+\\.[\\w-]+$",
    description: "A JSON Web Token, signed with HMAC SHA-256 (HS256).",
  },

  TokenOrEmpty: {
    type: "string",
    pattern: "^([\\w-]+\\.[\\w-]+\\.[\\w-]+)?$",
    description: "A JSON Web Token, or nothing.",
  },

  Done: { type: "string", const: "OK\n" },
  Empty: { type: "string", const: "" },

  Error: objectOf<ErrorBody>("A refusal, for a request that accepts JSON by name.", {
    code: { type: "string", pattern: "^[a-z_]+$", description: "Stable: made to be translated." },
    message: { type: "string", pattern: "^Cannot ", description: "One sentence, for a person." },
  }, {}),

  Sentence: {
    type: "string",
    pattern: "^Cannot [^\\n]*\\n$",
    description: "The `message` of the error, for a request that does not accept JSON by name.",
  },
} satisfies Record<string, Schema>;
