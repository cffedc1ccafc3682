import * as v from "valibot";
import { about, count, time } from "./parts.ts";

/** The schema of {@linkcode ContentIndexState}. */
export const contentIndexSchema = about(
  "How far the index of content search is.",
  v.object({
    state: about(
      "`off`; `waiting` to begin; `building` on the first walk through the files; `checking` on a " +
        "later one; `ready` between walks; `full` at a limit of the settings or of entries; " +
        "`disk_full`; `failed`.",
      v.picklist([
        "off",
        "waiting",
        "building",
        "checking",
        "ready",
        "full",
        "disk_full",
        "failed",
      ]),
    ),
    files: about("Files whose text is in the index.", count),
    characters: about("Characters of their text.", count),
    seen: about("Entries that the present or last scan has visited.", count),
    bytes: about("What the index takes on the disk.", count),
    startedAt: about("When the present or last walk began.", v.nullable(time)),
    walkedAt: about("When the last scan completed.", v.nullable(time)),
  }),
);

/** How far the index of content search is. */
export type ContentIndexState = v.InferOutput<typeof contentIndexSchema>;
