import * as v from "valibot";
import { groupings, tileSizes, viewModes } from "./choices.ts";
import { about, choice, shape } from "./parts.ts";
import { sortingSchema } from "./user.ts";

/** The schema of {@linkcode FolderView}. */
export const folderViewSchema = about(
  "How a user looks at one folder; what is left out is as the account says.",
  shape({
    viewMode: v.optional(choice(viewModes)),
    tileSize: v.optional(choice(tileSizes)),
    groupBy: v.optional(choice(groupings)),
    sorting: v.optional(sortingSchema),
  }),
);

/** How a user looks at one folder. What is left out is as in the user's account. */
export type FolderView = v.InferOutput<typeof folderViewSchema>;
