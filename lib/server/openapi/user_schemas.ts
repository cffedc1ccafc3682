import { type Rule, viewModes } from "../../shared/api_types.ts";
import { type Branding, hookEvents, type Settings } from "../settings/settings.ts";
import type { UserFields, UserInfo, UserPreferences } from "../users/user.ts";
import { objectOf, schemaNamed } from "./object_of.ts";
import type { Schema } from "./types.ts";

const truth: Schema = { type: "boolean" };
const words: Schema = { type: "string" };
const list: Schema = { type: "array", items: words };

const preferences: { [K in keyof UserPreferences]-?: Schema } = {
  scope: {
    type: "string",
    pattern: "^/",
    description: "The user's root, as a path below the server's root.",
  },
  locale: { type: "string", description: 'A language; "" for the browser\'s.' },
  viewMode: { type: "string", enum: viewModes },
  singleClick: { ...truth, description: "One click opens, instead of two." },
  sorting: schemaNamed("Sorting"),
  perm: schemaNamed("Permissions"),
  commands: { ...list, description: "The programs that the user may run." },
  hideDotfiles: truth,
  dateFormat: { ...truth, description: "Exact dates rather than relative ones." },
};

const fields: { [K in keyof UserFields]-?: Schema } = {
  username: words,
  ...preferences,
  lockPassword: { ...truth, description: "The user may not change the own password." },
  rules: {
    type: "array",
    items: schemaNamed("Rule"),
    description: "They come after the global ones; the last that matches wins.",
  },
};

/** The schemas of users and of what holds for all of them. */
export const userSchemas = {
  Rule: objectOf<Rule>("Lets users reach paths, or keeps them away.", {
    allow: truth,
    path: {
      type: "string",
      description: "That path inside the scope and all below it; an empty one matches nothing.",
    },
    regex: { ...truth, description: "The regular expression counts, and not the path." },
    regexp: {
      type: "object",
      required: ["raw"],
      properties: { raw: { type: "string", description: "A regular expression of RE2." } },
    },
  }, {}),

  User: objectOf<UserInfo>("A user as administrators see it, and the user itself.", {
    id: { type: "integer", minimum: 1 },
    ...fields,
  }, {}),

  UserFields: {
    type: "object",
    description: "The fields of a user; all may be missing.",
    properties: {
      ...fields,
      id: { type: "integer", minimum: 0, description: "The user of the address; 0 for a new one." },
      password: { type: "string", description: "12 characters to 72 bytes, no well-known one." },
    },
  } satisfies Schema,

  Settings: objectOf<Settings>("What holds for the whole server.", {
    signup: { ...truth, description: "Visitors may make themselves a user." },
    createUserDir: { ...truth, description: "New users get a home folder of their own." },
    rules: { type: "array", items: schemaNamed("Rule") },
    shell: { ...list, description: "What command lines are handed to; empty for no shell." },
    commands: {
      type: "object",
      description: "Command lines by event.",
      required: [...hookEvents],
      properties: Object.fromEntries(hookEvents.map((event) => [event, list])),
    },
    defaults: objectOf<UserPreferences>("What new users start with.", preferences, {}),
    branding: objectOf<Branding>("How the site presents itself.", {
      name: { type: "string", description: "The site's name; \"\" for the product's." },
      disableExternal: { ...truth, description: "No links to other sites." },
      theme: { type: "string", enum: ["", "light", "dark"] },
      files: { type: "string", description: 'A folder with a style sheet and images, or "".' },
    }, {}),
  }, {}),
};
