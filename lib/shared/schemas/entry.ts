import * as v from "valibot";
import { checksumNames, entryTypes, groupings } from "./choices/choices.ts";
import { about, count, time } from "./parts.ts";
import { folderViewSchema, sortingSchema } from "./view.ts";
import { quotaUsageSchema } from "./quota.ts";

/** The schema of {@linkcode Entry}. Answers are not validated against it. */
export const entrySchema = about(
  "A file or folder in a listing.",
  v.object({
    name: about('The last segment of the path; "" for the root.', v.string()),
    path: v.pipe(
      v.string(),
      v.startsWith("/"),
      v.description("The path inside the user's scope, not percent-encoded."),
      v.examples(["/photos/sea.jpg"]),
    ),
    isDir: v.boolean(),
    isSymlink: v.boolean(),
    type: about(
      "The kind, which decides how a client opens it. `textImmutable` is text that the " +
        "user may not change; `invalid_link` a link that leads nowhere.",
      v.picklist(entryTypes),
    ),
    size: about("In bytes; of a folder what the disk says of the folder itself.", count),
    modified: time,
    extension: v.pipe(
      v.string(),
      v.description('With its dot, in lower case; "" when there is none.'),
      v.examples([".jpg"]),
    ),
    mode: v.pipe(
      count,
      v.maxValue(0o7777),
      v.description("The permission bits as a number: 420 is 0644."),
    ),
    shared: v.optional(
      about("In a listing: the user shares it by a link. Left out otherwise.", v.literal(true)),
    ),
  }),
);

/** One file or folder as in an answer. */
export type Entry = v.InferOutput<typeof entrySchema>;

const listing = {
  items: v.optional(
    about(
      "The requested window of the folder's entries, in order; folders come first.",
      v.array(entrySchema),
    ),
  ),
  numDirs: v.optional(about("Folders in the whole folder, in any window.", count)),
  numFiles: v.optional(about("Files in the whole folder, in any window.", count)),
  sorting: v.optional(sortingSchema),
  groups: v.optional(
    about(
      "The groups that the entries are in, in their order; with `groupBy`.",
      v.array(v.object({
        name: about(
          "`folder`, a kind of files, a month such as `2026-11`, or a day such as `2026-11-29`.",
          v.string(),
        ),
        count: about("Entries of the folder in the group, in any window.", count),
      })),
    ),
  ),
  groupBy: v.optional(about("How the entries are grouped, if they are.", v.picklist(groupings))),
  view: v.optional(folderViewSchema),
  pictures: v.optional(
    about("Pictures and videos in the whole folder; with `view`, in the first window.", count),
  ),
  uncounted: v.optional(
    about(
      "Sorted by `size` with `sizes`: folders whose size is not known yet, which come last. " +
        "`POST /api/sizes/{path}` measures them.",
      count,
    ),
  ),
  sizesTag: v.optional(
    about(
      "With `uncounted`: another number when the sizes have changed, and maybe the order.",
      count,
    ),
  ),
  unread: v.optional(
    about(
      "Sorted by `taken`: pictures that are not read yet, and stand where they were modified. Ask " +
        "again: the server reads further ones for each request of the first window.",
      count,
    ),
  ),
};

const readOnly = v.optional(
  about(
    "Nothing in it can be changed with any permissions: it is in a read-only root, or " +
      "contains the named roots. Left out otherwise.",
    v.literal(true),
  ),
);

const subtitles = v.optional(
  about(
    "The paths of the files with subtitles that belong to the video.",
    v.array(v.pipe(v.string(), v.startsWith("/"))),
  ),
);

const window = {
  offset: v.optional(
    about("Where the window starts, if `around` or `startsWith` found it.", count),
  ),
};

const text = {
  content: v.optional(
    about(
      "The text of the file, decoded, without a byte order mark.",
      v.string(),
    ),
  ),
  encoding: v.optional(v.pipe(
    v.string(),
    v.description(
      "The encoding of the file, to send back as `encoding` when saving. It ends in " +
        "`-bom` if the file starts with a byte order mark. A text over 10 MiB has it, too, " +
        "without `content`.",
    ),
    v.examples(["utf-8", "utf-16le-bom", "windows-1252"]),
  )),
  lineEnding: v.optional(
    about("How the lines of the text end.", v.picklist(["lf", "crlf", "cr", "mixed"])),
  ),
};

/** The schema of a {@linkcode Resource} as the server sends it. */
export const resourceSchema = about(
  "A file or folder. A folder has `items`, `numDirs`, `numFiles` and `sorting`; a text file up to " +
    "10 MiB has `content`, if the user may download; a video has `subtitles`.",
  v.object({
    ...entrySchema.entries,
    ...listing,
    readOnly,
    ...window,
    ...text,
    subtitles,
    checksums: v.optional(
      about(
        "The requested digest, in hexadecimal digits, by algorithm.",
        v.record(v.picklist(checksumNames), v.pipe(v.string(), v.regex(/^[0-9a-f]+$/))),
      ),
    ),
  }),
);

/** The answer to `GET /api/resources/{path}`. */
export interface Resource extends v.InferOutput<typeof resourceSchema> {
  /** The version of the file: the answer's `ETag`, which the client stores here. */
  version?: string;
}

/** A group of a listing, with the number of its entries in the whole folder. */
export type Group = NonNullable<Resource["groups"]>[number];

/** The schema of a {@linkcode SharedResource} as visitors get it. */
export const sharedEntrySchema = about(
  "A shared entry, or an entry in it: a `Resource` with paths relative to the shared entry.",
  v.object({
    ...entrySchema.entries,
    ...listing,
    ...window,
    ...text,
    subtitles,
    hash: v.string(),
    token: v.pipe(
      v.string(),
      v.regex(/^([\w-]+\.[\w-]+\.[\w-]+)?$/),
      v.description("Opens the share in `?token=` for two hours; empty when it has no password."),
    ),
  }),
);

/** A share, or an entry in it, as a visitor sees it: paths are relative to the share. */
export interface SharedResource extends Resource {
  hash: string;
  /** Opens the share for two hours, in `?token=`; "" when it has no password. */
  token: string;
}

/** The schema of one result of a search. */
export const searchResultSchema = about(
  "One entry that was found.",
  v.object({
    path: about("Counted from the searched folder, no slash before it.", v.string()),
    dir: about("Whether it is a folder.", v.boolean()),
    size: v.optional(
      about(
        "In bytes; with `details`. Of a folder what the disk says of the folder itself.",
        count,
      ),
    ),
    modified: v.optional(about("When it was changed; with `details`.", time)),
    taken: v.optional(about(
      "When a picture or video was taken, by the clock of the camera; with `media`.",
      v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?$/)),
    )),
    ratio: v.optional(about(
      "The width of a picture or video in percent of its height; with `media`, where it is known.",
      count,
    )),
    snippet: v.optional(about(
      "Of a file that was found by its content: the text around the hits, in pieces, as plain " +
        "text. The second piece, the fourth and so on are hits.",
      v.array(v.string()),
    )),
    line: v.optional(about("The line of the first hit in the snippet, from 1.", count)),
  }),
);

/** The schema of {@linkcode SearchRest}. */
export const searchRestSchema = about(
  "What is not known at the end of a search; with `media`, unless it is nothing.",
  v.object({
    unread: about(
      "Pictures and videos that were not read yet, and counted with the date of their file. Ask " +
        "again: each search reads further ones.",
      count,
    ),
  }),
);

/** What is not known at the end of a search. */
export type SearchRest = v.InferOutput<typeof searchRestSchema>;

/** One result of a search. */
export type SearchResult = v.InferOutput<typeof searchResultSchema>;

const { path, name, size, modified, isDir } = entrySchema.entries;

/** The schema of {@linkcode TreeEntry}. */
export const treeEntrySchema = about(
  "One of all entries below a folder.",
  v.object({ path, name, size, modified, isDir }),
);

/** One of all entries below a folder. */
export type TreeEntry = v.InferOutput<typeof treeEntrySchema>;

/** The schema of {@linkcode Usage}. */
export const usageSchema = about(
  "The disk that contains a path, or your quota, in bytes.",
  v.object({
    total: count,
    used: count,
    quota: v.optional(
      about("Of a user who has one; `total` and `used` are its bytes.", quotaUsageSchema),
    ),
  }),
);

/** The answer to `GET /api/usage/{path}`, in bytes of the disk that holds the path, or of a quota. */
export type Usage = v.InferOutput<typeof usageSchema>;
