import * as v from "valibot";
import { parsePath } from "../path.ts";
import { checkRules } from "../rules/validate.ts";
import { permissionNames } from "./choices/choices.ts";
import { about, flag, notes, shape, text } from "./parts.ts";

/** The schema of {@linkcode Permissions}. */
export const permissionsSchema = about(
  "What a user may do.",
  shape({
    ...v.entriesFromList(permissionNames, flag),
    admin: about("Implies all the others.", flag),
  }),
);

/** The rights of a user. `admin` implies all the others. */
export type Permissions = v.InferOutput<typeof permissionsSchema>;

/** The schema of {@linkcode Rule}: a member that is missing reads as Go's zero, which denies. */
export const ruleSchema = about(
  "Lets users reach paths, or keeps them away.",
  shape({
    allow: v.nullish(flag, false),
    path: v.nullish(
      about("That path inside the scope and all below it; an empty one matches nothing.", text),
      "",
    ),
    regex: v.nullish(about("The regular expression applies, not the path.", flag), false),
    regexp: v.nullish(
      shape({ raw: v.nullish(about("A regular expression of RE2.", text), "") }),
      { raw: "" },
    ),
  }),
);

/** One access rule: by path with all that is below it, or by regular expression (RE2 syntax). */
export type Rule = v.InferOutput<typeof ruleSchema>;

/** A list of rules that can be stored. */
export const rules = v.pipe(
  v.array(ruleSchema, "a list"),
  v.transform((list) => {
    checkRules(list);
    return list;
  }),
);

/** A folder below the server's root. */
export const scope = v.pipe(
  text,
  // ".", "./a" and "a" are also folders below the server's root.
  v.transform((path): string => parsePath(path.trim().replace(/^\.(?:\/|$)/, "/")).path),
  v.startsWith("/"),
  v.description("The user's root, as a path below the server's root."),
  notes({ value: "PATH" }),
);
