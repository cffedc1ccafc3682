import * as v from "valibot";
import {
  densities,
  groupings,
  permissionsWhere,
  tileSizes,
  typeColumns,
  userThemes,
  viewModes,
} from "./choices/choices.ts";
import { isMailAddress } from "../mailbox.ts";
import {
  about,
  choice,
  flag,
  groupId,
  listOrNone,
  notes,
  shape,
  text,
  texts,
  userId,
} from "./parts.ts";
import { mutableTopics } from "./choices/notification_choices.ts";
import { namedRoots } from "./named_root.ts";
import { quotaSchema } from "./quota.ts";
import { permissionsSchema, rules, scope } from "./rights.ts";
import { sortingSchema } from "./view.ts";

/** Most characters of a user's commands together: every token and a cookie hold them. */
const maxCommandsLength = 1_000;

const locale = v.pipe(
  text,
  v.check(
    (code) => code === "" || /^[a-z]{2,3}(-[a-z]{2,8})?$/i.test(code),
    ({ input }) => `Cannot read locale: "${input}" is not a language code such as "en" or "zh-cn"`,
  ),
  v.description('A language; "" for the browser\'s.'),
  notes({ value: "LANGUAGE", own: true }),
);

const commands = v.pipe(
  texts,
  v.check(
    (list) => list.join().length <= maxCommandsLength,
    `Cannot read commands: it must be at most ${maxCommandsLength} characters long`,
  ),
  v.description("The programs that the user may run."),
  notes({ value: "LIST" }),
);

/**
 * The schema of {@linkcode UserPreferences}. An entry is the source of the types, the readers of
 * requests, imports and flags, the OpenAPI document, and the default, for a new server and for
 * stored records that are older than the field. See {@linkcode FieldNotes} for its metadata.
 */
export const preferencesSchema = shape({
  scope: v.nullish(scope, "/"),
  locale: v.nullish(locale, ""),
  viewMode: v.nullish(v.pipe(choice(viewModes), notes({ value: "MODE", own: true })), "list"),
  tileSize: v.nullish(
    v.pipe(
      choice(tileSizes),
      v.description("The size of tiles in the grid and among photos."),
      notes({ value: "SIZE", own: true }),
    ),
    "medium",
  ),
  groupBy: v.nullish(
    v.pipe(
      choice(groupings),
      v.description("How entries are put in groups."),
      notes({ value: "GROUPING", own: true }),
    ),
    "none",
  ),
  density: v.nullish(
    v.pipe(
      choice(densities),
      v.description("How much room the rows of a list take."),
      notes({ value: "DENSITY", own: true }),
    ),
    "comfortable",
  ),
  typeColumn: v.nullish(
    v.pipe(
      choice(typeColumns),
      v.description("Whether lists have a column of types; `auto` for wide windows."),
      notes({ value: "WHEN", own: true }),
    ),
    "auto",
  ),
  picturesAsPhotos: v.nullish(
    v.pipe(
      flag,
      v.description("Folders that are mostly pictures open as photos."),
      notes({ own: true }),
    ),
    true,
  ),
  singleClick: v.nullish(
    v.pipe(flag, v.description("One click opens, instead of two."), notes({ own: true })),
    false,
  ),
  hideDotfiles: v.nullish(v.pipe(flag, notes({ own: true })), false),
  dateFormat: v.nullish(
    v.pipe(flag, v.description("Exact dates rather than relative ones."), notes({ own: true })),
    false,
  ),
  redirectAfterCopyMove: v.nullish(
    v.pipe(
      flag,
      v.description("After a copy or a move, the destination opens."),
      notes({ own: true }),
    ),
    false,
  ),
  keepModified: v.nullish(
    v.pipe(
      flag,
      v.description("Files that the pages upload keep their times."),
      notes({ own: true }),
    ),
    false,
  ),
  trashWithoutAsking: v.nullish(
    v.pipe(
      flag,
      v.description("The pages move entries to the trash without a question."),
      notes({ own: true }),
    ),
    false,
  ),
  hideReadme: v.nullish(
    v.pipe(
      flag,
      v.description("The README of a folder is not shown below its rows."),
      notes({ own: true }),
    ),
    false,
  ),
  theme: v.nullish(
    v.pipe(
      choice(userThemes),
      v.description(
        "The colours of the pages: the site's own unless said; `system` follows the device.",
      ),
      notes({ value: "THEME", own: true }),
    ),
    "",
  ),
  keepRecent: v.nullish(
    v.pipe(
      flag,
      v.description(
        "The files that the user opens, uploads and changes are listed as recent ones.",
      ),
      notes({ own: true }),
    ),
    true,
  ),
  mutedNotifications: listOrNone(
    v.pipe(
      v.array(choice(mutableTopics), "a list"),
      v.description("What the user gets no notifications about."),
      notes({ value: "LIST", own: true }),
    ),
  ),
  mailNotifications: v.nullish(
    v.pipe(
      flag,
      v.description(
        "Notifications are also sent to the user's `mail` address, where the server sends mail.",
      ),
      notes({ own: true }),
    ),
    false,
  ),
  firstSteps: v.nullish(
    v.pipe(
      flag,
      v.description("An administrator is shown the first steps on a new server."),
      notes({ own: true }),
    ),
    false,
  ),
  aceEditorTheme: v.nullish(
    v.pipe(
      text,
      v.description("Kept for File Browser's clients; the editor here follows the theme."),
      notes({ value: "NAME", own: true }),
    ),
    "",
  ),
  commands: listOrNone(commands),
  sorting: v.pipe(
    v.nullish(sortingSchema, () => ({ by: "name" as const, asc: true })),
    notes({ own: true }),
  ),
  perm: v.nullish(
    permissionsSchema,
    () => permissionsWhere((name) => name !== "admin" && name !== "execute"),
  ),
  quota: v.nullish(quotaSchema, () => ({ bytes: 0, files: 0 })),
});

/** The settable fields of a user that the global defaults have, too. */
export type UserPreferences = v.InferOutput<typeof preferencesSchema>;

/** Most groups of a user: all are written in one commit. */
const maxGroups = 400;

/** The schema of {@linkcode UserFields}. */
export const userFieldsSchema = shape({
  username: v.nullish(text, ""),
  mail: v.nullish(
    v.pipe(
      text,
      v.check(
        (address) => address === "" || isMailAddress(address),
        "a mail address, such as anna@example.org",
      ),
      v.description('The address for mail to the user; "" for none.'),
      notes({ value: "ADDRESS" }),
    ),
    "",
  ),
  lockPassword: v.nullish(about("The user may not change the own password.", flag), false),
  roots: listOrNone(namedRoots),
  rules: listOrNone(about("They come after the global ones; the last that matches wins.", rules)),
  groups: listOrNone(
    about(
      "The numbers of the user's groups. The other fields do not contain what groups " +
        "grant.",
      v.pipe(v.array(groupId, "a list"), v.maxLength(maxGroups, `at most ${maxGroups} groups`)),
    ),
  ),
  ...preferencesSchema.entries,
});

/** The settable fields of a user, without the password. */
export type UserFields = v.InferOutput<typeof userFieldsSchema>;

/** The schema of {@linkcode UserInfo}. */
export const userSchema = about(
  "A user as administrators see it, and the user itself.",
  v.object({
    id: userId,
    password: about("Always empty: no password is ever shown.", v.literal("")),
    ...userFieldsSchema.entries,
  }),
);

/** A user as administrators and the user see it: without the hash and internal counters. */
export type UserInfo = v.InferOutput<typeof userSchema>;

const { username, ...otherFields } = userFieldsSchema.entries;

/** The schema of the fields that a request may change, with the password in plain text. */
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
export const tokenUserSchema = about(
  "What a token says of its user.",
  v.object({
    id: userId,
    ...v.pick(userFieldsSchema, [
      "username",
      "locale",
      "viewMode",
      "tileSize",
      "groupBy",
      "density",
      "typeColumn",
      "picturesAsPhotos",
      "singleClick",
      "dateFormat",
      "hideDotfiles",
      "perm",
      "commands",
      "lockPassword",
      "redirectAfterCopyMove",
      "keepModified",
      "trashWithoutAsking",
      "hideReadme",
      "theme",
      "keepRecent",
      "aceEditorTheme",
    ]).entries,
  }),
);

/** The user as described by tokens, and by the pages for that user. */
export type TokenUser = v.InferOutput<typeof tokenUserSchema>;
