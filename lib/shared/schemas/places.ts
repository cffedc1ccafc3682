import * as v from "valibot";
import { recentUses } from "./choices/choices.ts";
import { entrySchema } from "./entry.ts";
import { about, flag, time } from "./parts.ts";

const path = v.pipe(
  v.string(),
  v.startsWith("/"),
  v.description("The path inside the user's scope, not percent-encoded."),
);

const name = about('The last segment of the path; "" for the root.', v.string());

/** The schema of {@linkcode Favorite}. */
export const favoriteSchema = about(
  "An entry that the user has starred.",
  v.object({
    path,
    name,
    isDir: flag,
    isGone: about("Nothing is there now; it may return, for instance from the trash.", flag),
  }),
);

/** A starred entry, as its user may see it. */
export type Favorite = v.InferOutput<typeof favoriteSchema>;

/** The use that a user has made of a file. */
export type RecentUse = typeof recentUses[number];

/** The schema of {@linkcode RecentEntry}. */
export const recentEntrySchema = about(
  "A file that the user has used.",
  v.object({
    ...entrySchema.entries,
    use: about("What the user did with it last.", v.picklist(recentUses)),
    at: about("When.", time),
  }),
);

/** A file that was used, as its user may see it. */
export type RecentEntry = v.InferOutput<typeof recentEntrySchema>;
