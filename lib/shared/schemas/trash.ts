import * as v from "valibot";
import { about, count, flag, userId } from "./parts.ts";

const time = v.pipe(v.string(), v.isoTimestamp());

const id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));

/** The schema of {@linkcode TrashItem}. */
const trashItemSchema = about(
  "A deleted entry that can be restored.",
  v.object({
    id,
    name: v.string(),
    path: about(
      "Where it was; null if that is outside your present scope.",
      v.nullable(v.string()),
    ),
    isDir: v.boolean(),
    size: about("In bytes; 0 for a folder that was not measured yet.", count),
    deleted: time,
    expires: about("When it is deleted permanently.", time),
  }),
);

/** A deleted entry that can be restored. */
export type TrashItem = v.InferOutput<typeof trashItemSchema>;

/** The schema of {@linkcode TrashPage}. */
export const trashPageSchema = about(
  "The latest come first.",
  v.object({
    items: v.array(trashItemSchema),
    next: about("What to send as `before` for those behind; null at the end.", v.nullable(id)),
  }),
);

/** A part of the trash as it is listed. */
export type TrashPage = v.InferOutput<typeof trashPageSchema>;

/** The schema of {@linkcode TrashUsage}. */
export const trashUsageSchema = about(
  "The size of the trash of all users.",
  v.object({
    users: v.array(
      about(
        "The fullest comes first; those with nothing in it are left out.",
        v.object({
          id: userId,
          name: about("Null for a user who was deleted.", v.nullable(v.string())),
          entries: about("Previous versions of files among them.", count),
          bytes: count,
        }),
      ),
    ),
    isPartial: about("The sizes of some folders are not known yet: ask again.", flag),
  }),
);

/** How much the trash of all users holds. */
export type TrashUsage = v.InferOutput<typeof trashUsageSchema>;
