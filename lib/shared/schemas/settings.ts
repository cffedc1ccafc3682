import * as v from "valibot";
import { hookEvents } from "./choices.ts";
import { about, choice, flag, listOrNone, noList, shape, text, texts } from "./parts.ts";
import { preferencesSchema, rules } from "./user.ts";

/** The schema of {@linkcode Branding}. */
export const brandingSchema = about(
  "How the site presents itself.",
  shape({
    name: v.nullish(about("The site's name; \"\" for the product's.", text), ""),
    disableExternal: v.nullish(about("No links to other sites.", flag), false),
    theme: v.nullish(choice(["", "light", "dark"]), ""),
    files: v.nullish(about('A folder with a style sheet and images, or "".', text), ""),
  }),
);

/** The look of the site. */
export type Branding = v.InferOutput<typeof brandingSchema>;

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
  "What holds for the whole server.",
  shape({
    signup: v.nullish(about("Visitors may make themselves a user.", flag), false),
    createUserDir: v.nullish(about("New users get a home folder of their own.", flag), false),
    rules: listOrNone(rules),
    shell: listOrNone(about("What command lines are handed to; empty for no shell.", texts)),
    commands: hooks,
    defaults: about("What new users start with.", preferencesSchema),
    branding: brandingSchema,
  }),
);

/** The settings of the whole server. */
export type Settings = v.InferOutput<typeof settingsSchema>;
