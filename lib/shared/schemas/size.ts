import * as v from "valibot";
import { about, count, flag, shape } from "./parts.ts";

/** The schema of {@linkcode FolderSize}. */
export const folderSizeSchema = about(
  "The totals of all that is below a folder and that one may see.",
  v.object({
    bytes: about("The sizes of all files.", count),
    files: count,
    folders: about("Links to folders among them, which are not entered.", count),
    unreadable: about("Folders and chosen entries that could not be read.", count),
    isPartial: about("There is more: the totals so far.", flag),
  }),
);

/** The totals of all that is below a folder. */
export type FolderSize = v.InferOutput<typeof folderSizeSchema>;

/** The most entries that can be chosen. */
const maxNames = 100_000;

/** The schema of a choice of entries to measure. */
export const sizeRequestSchema = about(
  "Entries of a folder.",
  shape({
    names: about(
      "Their names, or paths from the folder on.",
      v.pipe(
        v.array(v.string("a text"), "a list"),
        v.minLength(1, "not empty"),
        v.maxLength(maxNames, `at most ${maxNames} long`),
      ),
    ),
  }),
);

/** The schema of {@linkcode NamedSize}. */
export const namedSizeSchema = about(
  "The totals of one folder among others.",
  v.object({ name: v.string(), ...folderSizeSchema.entries }),
);

/** The totals of one folder among others. */
export type NamedSize = v.InferOutput<typeof namedSizeSchema>;

/** The most folders that one request measures by themselves. */
export const maxFolders = 500;

/** The schema of a choice of folders to measure, each by itself. */
export const sizesRequestSchema = about(
  "Folders of a folder.",
  shape({
    names: v.optional(about(
      `Their names. Left out, the first ${maxFolders} whose totals are not known yet.`,
      v.pipe(
        v.array(v.string("a text"), "a list"),
        v.minLength(1, "not empty"),
        v.maxLength(maxFolders, `at most ${maxFolders} long`),
      ),
    )),
  }),
);
