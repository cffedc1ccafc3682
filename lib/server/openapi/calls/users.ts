import type { ErrorCode } from "../../../shared/errors.ts";
import { ownFieldNames } from "../../users/read_user.ts";
import { json, list, text } from "../answers.ts";
import { listParameters } from "../parameters.ts";
import { call } from "../call.ts";
import { headerNamed, headers } from "../headers.ts";
import { badJson, captchaProof, jsonBody } from "../json_body.ts";
import { schemaNamed } from "../schemas.ts";
import type { PathItem, RequestBody, Schema } from "../types.ts";
import { newToken } from "./sessions.ts";

const tag = "Users";

/** A user, in the path. */
export const id = {
  name: "id",
  in: "path" as const,
  required: true,
  description: "The user's number.",
  schema: { type: "integer", minimum: 1 } satisfies Schema,
};

const ownFields = ownFieldNames.filter((name) => name !== "password")
  .map((name) => `\`${name}\``).join(", ");

const currentPassword: Schema = {
  type: "string",
  description:
    "The password of the one who asks, which is wanted for whatever gives or takes rights: a new " +
    "user or none, another name, password, scope, permissions, rules or commands. Not where the " +
    "server vouches for its users.",
};

/** Errors of invalid user fields, or of missing permissions. */
const unsound: readonly ErrorCode[] = [
  ...badJson,
  "invalid_name",
  "invalid_password",
  "invalid_path",
  "invalid_rule",
  "wrong_credentials",
  "throttled",
];

/** @param about the meaning of `data` in the call */
function userBody(about: string): RequestBody {
  return jsonBody({
    what: { type: "string", const: "user" },
    which: {
      type: ["array", "null"],
      items: { type: "string" },
      description: "The names of the fields that are meant, in any case; `all` or none for all.",
    },
    data: { ...schemaNamed("UserFields"), description: about },
    current_password: currentPassword,
  }, ["what", "data"]);
}

/** The calls that list, add, change and remove users, and sign up visitors. */
export const userCalls: Record<string, PathItem> = {
  "/api/signup": {
    post: call({
      id: "signUp",
      tag,
      summary: "Become a user",
      description: "Where the settings let visitors do so. The new user has the default rights, " +
        "but is no administrator and runs no commands, and is signed in at once.",
      auth: "none",
      body: jsonBody({
        username: { type: "string" },
        password: {
          type: "string",
          description: "12 characters to 72 bytes, not a well-known one.",
        },
        recaptcha: captchaProof,
      }, ["username", "password"]),
      answers: { 200: newToken },
      refusals: [
        ...[...badJson, "invalid_name", "invalid_password", "exists"] as const,
        ...["wrong_credentials", "throttled"] as const,
      ],
    }),
  },

  "/api/users": {
    get: call({
      id: "listUsers",
      tag,
      summary: "List the users",
      description: "For administrators.",
      auth: "cookie",
      parameters: [
        ...listParameters("the name"),
        {
          name: "group",
          in: "query",
          description: "The number of a group: its members alone.",
          schema: { type: "integer", minimum: 1 },
        },
      ],
      answers: { 200: list("By number; with `query` by name.", schemaNamed("User")) },
      refusals: ["invalid_option"],
    }),
    post: call({
      id: "addUser",
      tag,
      summary: "Add a user",
      description: "For administrators. Fields that are left out come from the defaults of the " +
        "settings. When those give every user a home, one without a scope gets it.",
      auth: "token",
      body: userBody("The new user, with a password."),
      answers: {
        201: text("It is there.", schemaNamed("Empty"), { Location: headerNamed("UserPage") }),
      },
      refusals: [
        ...unsound,
        "exists",
      ],
    }),
  },

  "/api/quotas": {
    get: call({
      id: "listQuotas",
      tag,
      summary: "List the users with a quota, and how much each has in use",
      description: "For administrators.",
      auth: "cookie",
      parameters: listParameters("the name"),
      answers: { 200: list("Those users, by number.", schemaNamed("UserQuota")) },
      refusals: ["invalid_option"],
    }),
  },

  "/api/quotas/{id}": {
    post: call({
      id: "recountQuota",
      tag,
      summary: "Count what a user with a quota has in use",
      description: "For administrators. The answer comes when all is counted, which takes up to " +
        "five minutes for millions of files.",
      auth: "token",
      parameters: [id],
      answers: { 200: json("What is in use.", schemaNamed("QuotaUsage")) },
      refusals: ["not_found", "not_supported"],
    }),
  },

  "/api/users/{id}": {
    get: call({
      id: "getUser",
      tag,
      summary: "Describe a user",
      description: "Administrators see all users, others themselves, and not their own rules.",
      auth: "cookie",
      parameters: [id],
      answers: { 200: json("The user.", schemaNamed("User")) },
      refusals: ["not_found"],
    }),
    put: call({
      id: "changeUser",
      tag,
      summary: "Change some fields of a user",
      description:
        `Administrators change all fields of all users. Others change of themselves ${ownFields} ` +
        "and, unless it is locked, `password`. A new password and other rights end all sessions of the user; who " +
        "asked for it of itself gets a new token.",
      auth: "token",
      parameters: [id],
      body: userBody("The fields that are named, with their new values."),
      answers: {
        200: text(
          "It is changed; a token when the former one has died of it.",
          schemaNamed("TokenOrEmpty"),
          { "Set-Cookie": { ...headers.SetToken, required: false } },
        ),
      },
      refusals: [
        ...unsound,
        "last_admin",
        "not_found",
        "exists",
      ],
    }),
    delete: call({
      id: "removeUser",
      tag,
      summary: "Remove a user",
      description: "For administrators. Its sessions end; its files stay.",
      auth: "token",
      parameters: [id],
      body: jsonBody({ current_password: currentPassword }, []),
      answers: {
        200: text("It is gone; when it was oneself, the cookie is as well.", schemaNamed("Empty"), {
          "Set-Cookie": { ...headers.ForgetToken, required: false },
        }),
      },
      refusals: [...badJson, "wrong_credentials", "throttled", "last_admin", "not_found"],
    }),
  },
};
