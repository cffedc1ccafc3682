import * as v from "valibot";
import { groupings, sortKeys, tileSizes, viewModes } from "./choices/choices.ts";
import { about, choice, emptyAs, flag, notes, shape } from "./parts.ts";

/** The schema of {@linkcode Sorting}. */
export const sortingSchema = about(
  "The order of a listing.",
  shape({
    // File Browser's quick setup stores an empty key for the defaults.
    by: v.pipe(emptyAs(choice(sortKeys), "name"), notes({ value: "KEY" })),
    asc: about("A to Z, small to large, old to new.", flag),
  }),
);

/** An order of entries; `asc` is A to Z, small to large, old to new. Folders come first in both. */
export type Sorting = v.InferOutput<typeof sortingSchema>;

/** The schema of {@linkcode FolderView}. */
export const folderViewSchema = about(
  "A user's view of one folder; members that are left out are as in the account.",
  shape({
    viewMode: v.optional(choice(viewModes)),
    tileSize: v.optional(choice(tileSizes)),
    groupBy: v.optional(choice(groupings)),
    sorting: v.optional(sortingSchema),
  }),
);

/** How a user looks at one folder. What is left out is as in the user's account. */
export type FolderView = v.InferOutput<typeof folderViewSchema>;
