import * as v from "valibot";
import { hookEvents } from "./choices.ts";
import { choice, flag, listOrNone, noList, shape, text, texts } from "./parts.ts";
import { preferencesSchema, rules } from "./user.ts";

/** The schema of {@linkcode Branding}. */
export const brandingSchema = v.pipe(
  shape({
    name: v.nullish(v.pipe(text, v.description("The site's name; \"\" for the product's.")), ""),
    disableExternal: v.nullish(v.pipe(flag, v.description("No links to other sites.")), false),
    theme: v.nullish(choice(["", "light", "dark"]), ""),
    files: v.nullish(
      v.pipe(text, v.description('A folder with a style sheet and images, or "".')),
      "",
    ),
  }),
  v.description("How the site presents itself."),
);

/** How the site presents itself. */
export type Branding = v.InferOutput<typeof brandingSchema>;

const hooks = v.pipe(
  noList(v.strictObject(
    v.entriesFromList(hookEvents, listOrNone(texts)),
    ({ expected, received }) =>
      expected === "never" ? `Cannot run commands on ${received}: no such event` : "an object",
  )),
  v.description("Command lines by event."),
);

/** The schema of {@linkcode Settings}. */
export const settingsSchema = v.pipe(
  shape({
    signup: v.nullish(v.pipe(flag, v.description("Visitors may make themselves a user.")), false),
    createUserDir: v.nullish(
      v.pipe(flag, v.description("New users get a home folder of their own.")),
      false,
    ),
    rules: listOrNone(rules),
    shell: listOrNone(v.pipe(
      texts,
      v.description("What command lines are handed to; empty for no shell."),
    )),
    commands: hooks,
    defaults: v.pipe(preferencesSchema, v.description("What new users start with.")),
    branding: brandingSchema,
  }),
  v.description("What holds for the whole server."),
);

/** What administrators settle for the whole server. */
export type Settings = v.InferOutput<typeof settingsSchema>;
