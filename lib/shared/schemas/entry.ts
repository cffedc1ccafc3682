import * as v from "valibot";
import { checksumNames, entryTypes } from "./choices.ts";
import { count, time } from "./parts.ts";
import { sortingSchema } from "./user.ts";

/** The schema of {@linkcode Entry}. Answers are not held against it. */
export const entrySchema = v.pipe(
  v.object({
    name: v.pipe(v.string(), v.description('The last segment of the path; "" for the root.')),
    path: v.pipe(
      v.string(),
      v.startsWith("/"),
      v.description("The path inside the user's scope, not percent-encoded."),
      v.examples(["/photos/sea.jpg"]),
    ),
    isDir: v.boolean(),
    isSymlink: v.boolean(),
    type: v.pipe(
      v.picklist(entryTypes),
      v.description(
        "The kind, which decides how a client opens it. `textImmutable` is text that the " +
          "user may not change; `invalid_link` a link that leads nowhere.",
      ),
    ),
    size: v.pipe(
      count,
      v.description("In bytes; of a folder what the disk says of the folder itself."),
    ),
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
  }),
  v.description("A file or folder in a listing."),
);

/** One file or folder as an answer describes it. */
export type Entry = v.InferOutput<typeof entrySchema>;

const listing = {
  items: v.optional(v.pipe(
    v.array(entrySchema),
    v.description("The asked window of the folder's entries, in order; folders come first."),
  )),
  numDirs: v.optional(
    v.pipe(count, v.description("Folders in the whole folder, whatever the window.")),
  ),
  numFiles: v.optional(
    v.pipe(count, v.description("Files in the whole folder, whatever the window.")),
  ),
  sorting: v.optional(sortingSchema),
};

const subtitles = v.optional(v.pipe(
  v.array(v.pipe(v.string(), v.startsWith("/"))),
  v.description("The paths of the files with subtitles that belong to the video."),
));

/** The schema of a {@linkcode Resource} as the server gives it. */
export const resourceSchema = v.pipe(
  v.object({
    ...entrySchema.entries,
    ...listing,
    offset: v.optional(
      v.pipe(count, v.description("Where the window begins, when `around` looked for it.")),
    ),
    content: v.optional(v.pipe(
      v.string(),
      v.description(
        "The text of the file, in whatever encoding it is kept, without a byte order mark.",
      ),
    )),
    encoding: v.optional(v.pipe(
      v.string(),
      v.description(
        "How the text is kept, to be given back as `encoding` when it is saved. It " +
          "ends in `-bom` when the file begins with a byte order mark.",
      ),
      v.examples(["utf-8", "utf-16le-bom", "windows-1252"]),
    )),
    lineEnding: v.optional(v.pipe(
      v.picklist(["lf", "crlf", "cr", "mixed"]),
      v.description("How the lines of the text end."),
    )),
    subtitles,
    checksums: v.optional(v.pipe(
      v.record(v.picklist(checksumNames), v.pipe(v.string(), v.regex(/^[0-9a-f]+$/))),
      v.description("The digest that was asked for, in hexadecimal digits, by algorithm."),
    )),
  }),
  v.description(
    "A file or folder. A folder has `items`, `numDirs`, `numFiles` and `sorting`; a text file up to " +
      "10 MiB has `content`, if the user may download; a video has `subtitles`.",
  ),
);

/** The answer to `GET /api/resources/{path}`. */
export interface Resource extends v.InferOutput<typeof resourceSchema> {
  /** The version of a file that was read: the answer's `ETag`, which the client puts in here. */
  version?: string;
}

/** The schema of a {@linkcode SharedResource} as visitors get it. */
export const sharedEntrySchema = v.pipe(
  v.object({
    ...entrySchema.entries,
    ...listing,
    subtitles,
    hash: v.string(),
    token: v.pipe(
      v.string(),
      v.regex(/^([\w-]+\.[\w-]+\.[\w-]+)?$/),
      v.description("Opens the share in `?token=` for two hours; empty when it has no password."),
    ),
  }),
  v.description(
    "What is shared, or an entry in it: a `Resource` whose paths count from what is " +
      "shared, without text.",
  ),
);

/** A share, or an entry in it, as a visitor sees it: paths count from what is shared. */
export interface SharedResource extends Resource {
  hash: string;
  /** Opens the share for two hours, in `?token=`; "" when it has no password. */
  token: string;
}

/** The schema of one result of a search. */
export const searchResultSchema = v.pipe(
  v.object({
    path: v.pipe(
      v.string(),
      v.description("Counted from the searched folder, no slash before it."),
    ),
    dir: v.pipe(v.boolean(), v.description("Whether it is a folder.")),
  }),
  v.description("One entry that was found."),
);

/** The schema of {@linkcode Usage}. */
export const usageSchema = v.pipe(
  v.object({ total: count, used: count }),
  v.description("The disk that holds a path, in bytes."),
);

/** The answer to `GET /api/usage/{path}`, in bytes of the disk that holds the path. */
export type Usage = v.InferOutput<typeof usageSchema>;
