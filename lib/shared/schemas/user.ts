import * as v from "valibot";
import { parsePath } from "../../access/path.ts";
import { checkRules } from "../../rules/validate.ts";
import { permissionNames, sortKeys, viewModes } from "./choices.ts";
import { choice, flag, listOrNone, notes, shape, text, texts, userId } from "./parts.ts";

/** All commands of a user together, in characters: they travel in every token, and in a cookie. */
const longestCommands = 1_000;

/** The schema of {@linkcode Permissions}. */
export const permissionsSchema = v.pipe(
  shape({
    ...v.entriesFromList(permissionNames, flag),
    admin: v.pipe(flag, v.description("Implies all the others.")),
  }),
  v.description("What a user may do."),
);

/** What a user may do. `admin` implies all the others. */
export type Permissions = v.InferOutput<typeof permissionsSchema>;

/** The schema of {@linkcode Sorting}. */
export const sortingSchema = v.pipe(
  shape({
    by: v.pipe(choice(sortKeys), notes({ value: "KEY" })),
    asc: v.pipe(flag, v.description("A to Z, small to large, old to new.")),
  }),
  v.description("The order of a listing."),
);

/** An order of entries; `asc` is A to Z, small to large, old to new. Folders come first in both. */
export type Sorting = v.InferOutput<typeof sortingSchema>;

/** The schema of {@linkcode Rule}: a member that is missing reads as Go's zero, which denies. */
export const ruleSchema = v.pipe(
  shape({
    allow: v.nullish(flag, false),
    path: v.nullish(
      v.pipe(
        text,
        v.description("That path inside the scope and all below it; an empty one matches nothing."),
      ),
      "",
    ),
    regex: v.nullish(
      v.pipe(flag, v.description("The regular expression counts, and not the path.")),
      false,
    ),
    regexp: v.nullish(
      shape({ raw: v.nullish(v.pipe(text, v.description("A regular expression of RE2.")), "") }),
      { raw: "" },
    ),
  }),
  v.description("Lets users reach paths, or keeps them away."),
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

const scope = v.pipe(
  text,
  // ".", "./a" and "a" are spellings of folders below the server's root, too.
  v.transform((path): string => parsePath(path.trim().replace(/^\.(?:\/|$)/, "/")).path),
  v.startsWith("/"),
  v.description("The user's root, as a path below the server's root."),
  notes({ value: "PATH" }),
);

const locale = v.pipe(
  text,
  v.check(
    (code) => code === "" || /^[a-z]{2,3}(-[a-z]{2,8})?$/i.test(code),
    ({ input }) => `Cannot read locale: "${input}" is not a language code`,
  ),
  v.description('A language; "" for the browser\'s.'),
  notes({ value: "LANGUAGE", own: true }),
);

const commands = v.pipe(
  texts,
  v.check(
    (list) => list.join().length <= longestCommands,
    `Cannot read commands: it must be at most ${longestCommands} characters long`,
  ),
  v.description("The programs that the user may run."),
  notes({ value: "LIST" }),
);

/**
 * The schema of {@linkcode UserPreferences}. Each field has its default, for new servers and for
 * records of the time before there was the field; see {@linkcode FieldNotes} for the rest.
 */
export const preferencesSchema = shape({
  scope: v.nullish(scope, "/"),
  locale: v.nullish(locale, ""),
  viewMode: v.nullish(v.pipe(choice(viewModes), notes({ value: "MODE", own: true })), "list"),
  singleClick: v.nullish(
    v.pipe(flag, v.description("One click opens, instead of two."), notes({ own: true })),
    false,
  ),
  hideDotfiles: v.nullish(v.pipe(flag, notes({ own: true })), false),
  dateFormat: v.nullish(
    v.pipe(flag, v.description("Exact dates rather than relative ones."), notes({ own: true })),
    false,
  ),
  commands: listOrNone(commands),
  sorting: v.pipe(
    v.nullish(sortingSchema, () => ({ by: "name" as const, asc: true })),
    notes({ own: true }),
  ),
  perm: v.nullish(permissionsSchema, () => ({
    admin: false,
    create: true,
    delete: true,
    download: true,
    execute: false,
    modify: true,
    rename: true,
    share: true,
  })),
});

/** What is settable about a user besides name and password; the global defaults have it, too. */
export type UserPreferences = v.InferOutput<typeof preferencesSchema>;

/** The schema of {@linkcode UserFields}. */
export const userFieldsSchema = shape({
  username: v.nullish(text, ""),
  lockPassword: v.nullish(
    v.pipe(flag, v.description("The user may not change the own password.")),
    false,
  ),
  rules: listOrNone(v.pipe(
    rules,
    v.description("They come after the global ones; the last that matches wins."),
  )),
  ...preferencesSchema.entries,
});

/** What an administrator settles about a user, without the password. */
export type UserFields = v.InferOutput<typeof userFieldsSchema>;

/** The schema of {@linkcode UserInfo}. */
export const userSchema = v.pipe(
  v.object({ id: userId, ...userFieldsSchema.entries }),
  v.description("A user as administrators see it, and the user itself."),
);

/** A user as administrators and the user itself see it: everything but the hash and our counts. */
export type UserInfo = v.InferOutput<typeof userSchema>;

const { username, ...otherFields } = userFieldsSchema.entries;

/** The schema of the fields that a request may change, with the password in the clear. */
export const userChangeSchema = shape({
  username,
  password: v.optional(v.pipe(
    text,
    v.description("12 characters to 72 bytes, no well-known one."),
    notes({ own: true }),
  )),
  ...otherFields,
});

/** The schema of {@linkcode TokenUser}. */
export const tokenUserSchema = v.pipe(
  v.object({
    id: userId,
    ...v.pick(userFieldsSchema, [
      "username",
      "locale",
      "viewMode",
      "singleClick",
      "dateFormat",
      "hideDotfiles",
      "perm",
      "commands",
      "lockPassword",
    ]).entries,
  }),
  v.description("What a token says of its user."),
);

/** What a token says about its user, and what pages know of the one who is signed in. */
export type TokenUser = v.InferOutput<typeof tokenUserSchema>;
