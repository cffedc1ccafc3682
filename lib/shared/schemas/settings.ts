import * as v from "valibot";
import { auditLevels } from "./choices/audit_choices.ts";
import {
  colorPattern,
  factorDuties,
  hookEvents,
  minPasswordLength,
  recipientRights,
} from "./choices/choices.ts";
import { settingBounds } from "./choices/setting_bounds.ts";
import { about, choice, converted, flag, listOrNone, noList, shape, text, texts } from "./parts.ts";
import { preferencesSchema } from "./user.ts";
import { rules, scope } from "./rights.ts";

/** A whole number between bounds. */
function wholeNumber({ min, max }: { min: number; max: number }) {
  const expected = `a whole number from ${min} to ${max}`;
  return v.pipe(
    v.number(expected),
    v.integer(expected),
    v.minValue(min, expected),
    v.maxValue(max, expected),
  );
}

/** The look of the site. */
export const brandingSchema = about(
  "How the site presents itself.",
  shape({
    name: v.nullish(about("The site's name; \"\" for the product's.", text), ""),
    disableExternal: v.nullish(about("No links to other sites.", flag), false),
    theme: v.nullish(choice(["", "light", "dark"]), ""),
    color: v.nullish(
      v.pipe(
        text,
        v.regex(colorPattern, 'a colour such as "#0a7d5c", or ""'),
        v.description("The colour of the browser's own frame."),
      ),
      "",
    ),
    disableUsedPercentage: v.nullish(about("Nothing is shown of the disk's usage.", flag), false),
    files: v.nullish(about('A folder with a style sheet and images, or "".', text), ""),
  }),
);

const hooks = about(
  "Command lines by event.",
  noList(v.strictObject(
    v.entriesFromList(hookEvents, listOrNone(texts)),
    ({ expected, received }) =>
      expected === "never" ? `Cannot run commands on ${received}: no such event` : "an object",
  )),
);

/** The schema of {@linkcode Settings}. */
export const settingsSchema = about(
  "The settings of the whole server.",
  shape({
    signup: v.nullish(about("Visitors may make themselves a user.", flag), false),
    createUserDir: v.nullish(about("New users get a home folder of their own.", flag), false),
    userHomeBasePath: v.nullish(
      about("Where homes lie, below the default scope.", scope),
      "/users",
    ),
    minimumPasswordLength: v.nullish(
      about(
        `The fewest characters of a new password; under ${minPasswordLength} counts as that.`,
        converted(
          wholeNumber(settingBounds.minimumPasswordLength),
          (count) => Number(count) < minPasswordLength ? minPasswordLength : count,
        ),
      ),
      minPasswordLength,
    ),
    requireSecondFactor: v.nullish(
      about("Who must have a second factor before anything else.", choice(factorDuties)),
      "nobody",
    ),
    hideLoginButton: v.nullish(about("Shares show visitors no way to sign in.", flag), false),
    hideShareOwner: v.nullish(about("Shares hide their owner from visitors.", flag), false),
    suggestNames: v.nullish(
      about(
        "Users who share are offered names of other users, and of their own groups, as they type.",
        flag,
      ),
      false,
    ),
    maxLinkRight: v.nullish(
      about(
        "The most that a link gives to anyone who has it. The users and groups that a share names " +
          "keep their rights.",
        choice(recipientRights),
      ),
      "edit",
    ),
    logoutPage: v.nullish(
      v.pipe(
        text,
        v.regex(
          /^(\/(?![\/\\])[^\\\s]*|https?:\/\/[^\s\\]+)?$/,
          'a path such as "/login", or an address',
        ),
        v.description('Where signing out leads; empty or "/login" for the own page.'),
      ),
      "",
    ),
    tus: about(
      "Resumable uploads, as the pages here and File Browser's send them.",
      shape({
        chunkSize: v.nullish(
          about(
            "The largest part of a file in one request, in bytes.",
            wholeNumber(settingBounds.tus.chunkSize),
          ),
          10 * 2 ** 20,
        ),
        retryCount: v.nullish(
          about("How often a part is tried again.", wholeNumber(settingBounds.tus.retryCount)),
          5,
        ),
      }),
    ),
    trash: about(
      "What becomes of deleted entries.",
      shape({
        byDefault: v.nullish(
          about("Deletions that do not say otherwise move to the trash.", flag),
          false,
        ),
        versions: v.nullish(
          about("Files that an upload or a save replaces are kept as previous versions.", flag),
          true,
        ),
        days: v.nullish(
          about(
            "After how many days its entries are deleted.",
            wholeNumber(settingBounds.trash.days),
          ),
          30,
        ),
        leastFree: v.nullish(
          about(
            "While less of a disk is free, in percent, the oldest in its trash is deleted.",
            wholeNumber(settingBounds.trash.leastFree),
          ),
          5,
        ),
      }),
    ),
    audit: about(
      "The activity log: who did what, from where and when.",
      shape({
        level: v.nullish(
          about(
            "What is taken down: nothing, what changes something, or downloads as well.",
            choice(auditLevels),
          ),
          "off",
        ),
        days: v.nullish(
          about("After how many days records are removed.", wholeNumber(settingBounds.audit.days)),
          365,
        ),
      }),
    ),
    contents: about(
      "Search in the contents of files, by an index in the cache folder.",
      shape({
        enabled: v.nullish(about("There is such an index.", flag), false),
        largestText: v.nullish(
          about(
            "How much of a file is read, in bytes; what follows is not found.",
            wholeNumber(settingBounds.contents.largestText),
          ),
          4 * 2 ** 20,
        ),
        largestIndex: v.nullish(
          about(
            "How large the index may get, in bytes; then files are left out.",
            wholeNumber(settingBounds.contents.largestIndex),
          ),
          2 * 2 ** 30,
        ),
      }),
    ),
    rules: listOrNone(rules),
    shell: listOrNone(about("What command lines are handed to; empty for no shell.", texts)),
    commands: hooks,
    defaults: about("What new users start with.", preferencesSchema),
    branding: brandingSchema,
  }),
);

/** The settings of the whole server. */
export type Settings = v.InferOutput<typeof settingsSchema>;
