import * as v from "valibot";
import { entryTypes } from "./choices/choices.ts";
import { about, count, time } from "./parts.ts";
import { sortingSchema } from "./view.ts";

const inside = v.pipe(
  v.string(),
  v.startsWith("/"),
  v.description("The path inside the archive, not percent-encoded."),
  v.examples(["/photos/sea.jpg"]),
);

/** The schema of {@linkcode ArchiveEntry}. */
const archiveEntrySchema = about(
  "An entry of an archive.",
  v.object({
    name: v.string(),
    path: inside,
    kind: about(
      "Links and other kinds (devices, pipes) are named, but can't be opened nor extracted.",
      v.picklist(["file", "folder", "link", "other"]),
    ),
    type: about("Of a file, by its name: how a client opens it.", v.picklist(entryTypes)),
    extension: about('With its dot, in lower case; "" when there is none.', v.string()),
    size: about("In bytes; of a folder that of all files in it.", count),
    modified: about("Null if the archive does not have it.", v.nullable(time)),
    encrypted: about("Its content can't be read without a password.", v.boolean()),
  }),
);

/** An entry of an archive, as a listing shows it. */
export type ArchiveEntry = v.InferOutput<typeof archiveEntrySchema>;

/** The schema of {@linkcode ArchiveFolder}. */
export const archiveFolderSchema = about(
  "Some rows of a folder in an archive.",
  v.object({
    path: inside,
    numDirs: about("How many folders are in this folder.", count),
    numFiles: about("How many other entries are in this folder.", count),
    offset: about("The index of the first of the items.", count),
    sorting: sortingSchema,
    size: about("The content of all files in this folder and below it, in bytes.", count),
    total: about("How many entries the whole archive has.", count),
    refused: about(
      "Entries that are not shown, as their paths lead out of the archive or no disk takes them.",
      v.object({
        count,
        entries: about(
          "The first hundred.",
          v.array(v.object({ path: v.string(), code: v.string() })),
        ),
      }),
    ),
    items: v.array(archiveEntrySchema),
  }),
);

/** Some rows of a folder in an archive. */
export type ArchiveFolder = v.InferOutput<typeof archiveFolderSchema>;

/** The schema of {@linkcode ArchiveReading}. */
export const archiveReadingSchema = about(
  "An archive that has not been read to its end.",
  v.object({
    reading: v.object({
      bytes: about("How many bytes of it are read.", count),
      size: about("How many it has.", count),
    }),
  }),
);

/** How far an archive has been read. */
export type ArchiveReading = v.InferOutput<typeof archiveReadingSchema>;
