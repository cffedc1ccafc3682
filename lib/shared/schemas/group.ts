import * as v from "valibot";
import { permissionsWhere } from "./choices/choices.ts";
import { about, groupId, listOrNone, shape, text, userId } from "./parts.ts";
import { namedRoots } from "./named_root.ts";
import { quotaSchema } from "./quota.ts";
import { permissionsSchema, rules } from "./rights.ts";

/** The schema of {@linkcode GroupFields}. */
export const groupFieldsSchema = shape({
  name: v.nullish(
    about("1 to 255 printable characters, no comma and no semicolon; no two have the same.", text),
    "",
  ),
  perm: about(
    "What each member may do in addition to the member's own permissions.",
    v.nullish(permissionsSchema, () => permissionsWhere(() => false)),
  ),
  rules: listOrNone(
    about(
      "They come after the global ones and before a member's own; the last that matches wins.",
      rules,
    ),
  ),
  roots: listOrNone(
    about(
      "Each member has them beside the own ones, which win over those of the same name or folder; " +
        "in place of the scope, as own ones are.",
      namedRoots,
    ),
  ),
  quota: about(
    "The limit of each member whose own record has none.",
    v.nullish(quotaSchema, () => ({ bytes: 0, files: 0 })),
  ),
});

/** The settable fields of a group, without its members. */
export type GroupFields = v.InferOutput<typeof groupFieldsSchema>;

const members = about(
  "The numbers of the users in it.",
  v.array(userId, "a list"),
);

/** The schema of {@linkcode GroupInfo}. */
export const groupSchema = about(
  "A group of users, who may do what it lets them.",
  v.object({ id: groupId, ...groupFieldsSchema.entries, members }),
);

/** A group as administrators see it. */
export type GroupInfo = v.InferOutput<typeof groupSchema>;

/**
 * The schema of what a request may say of a group; `members` are changed as a whole, or else by
 * those who `join` and those who `leave`.
 */
export const groupChangeSchema = shape({
  ...groupFieldsSchema.entries,
  members: listOrNone(members),
  join: listOrNone(about("The numbers of the users to add.", v.array(userId, "a list"))),
  leave: listOrNone(about("The numbers of the users who go from it.", v.array(userId, "a list"))),
});
