import { json, list, text } from "../answers.ts";
import { call } from "../call.ts";
import { badJson, jsonBody } from "../json_body.ts";
import { inviteDraft, schemaNamed } from "../schemas.ts";
import { listParameters } from "../parameters.ts";
import type { PathItem, Schema } from "../types.ts";

const tag = "Users";

const token: Schema = { type: "string", description: "What follows `#` in the link." };

/** The calls about links that an administrator hands out: for a new user, or a new password. */
export const inviteCalls: Record<string, PathItem> = {
  "/api/invites": {
    get: call({
      id: "listInvites",
      tag,
      summary: "List the invitations and password links",
      description: "For administrators. Those that still work, without their secrets.",
      auth: "cookie",
      parameters: listParameters("the name, and the name of who has made it"),
      answers: { 200: list("Newest first.", schemaNamed("Invite")) },
      refusals: ["invalid_option"],
    }),
    post: call({
      id: "makeInvite",
      tag,
      summary: "Make a link that invites a user, or sets a password",
      description:
        "For administrators. Whoever has the link becomes a user with the defaults, and " +
        "without special rights, or sets the password of one. It works once. With `mail` it is sent " +
        "there as well; one that cannot be sent is not made.",
      auth: "token",
      body: jsonBody({
        ...inviteDraft,
        current_password: {
          type: "string",
          description: "The password of the one who asks. Not where one has just signed in by an " +
            "account elsewhere.",
        },
      }, []),
      answers: { 201: json("The link, which is told this once.", schemaNamed("NewInvite")) },
      refusals: [
        ...badJson,
        "wrong_credentials",
        "throttled",
        "not_found",
        "exists",
        "invalid_name",
        "invalid_address",
        "mail_failed",
        "not_supported",
      ],
    }),
  },

  "/api/invites/{id}": {
    delete: call({
      id: "withdrawInvite",
      tag,
      summary: "Withdraw an invitation or a password link",
      description: "For administrators.",
      auth: "token",
      parameters: [{
        name: "id",
        in: "path",
        required: true,
        description: "The link, as `GET /api/invites` names it.",
        schema: { type: "string", pattern: "^[\\w-]{43}$" },
      }],
      answers: { 200: text("It is dead.", schemaNamed("Empty")) },
      refusals: ["not_found"],
    }),
  },

  "/api/public/invite": {
    post: call({
      id: "openInvite",
      tag,
      summary: "Tell what a link is for",
      description: "404 for one that is unknown, was used or withdrawn, or is over.",
      auth: "none",
      body: jsonBody({ token }, ["token"]),
      answers: { 200: json("What it is for.", schemaNamed("OpenedInvite")) },
      refusals: [...badJson, "not_found", "throttled"],
    }),
    put: call({
      id: "useInvite",
      tag,
      summary: "Become a user, or set a password, by a link",
      description: "A refused name or password leaves the link as it is. Second factors stay.",
      auth: "none",
      body: jsonBody({
        token,
        username: { type: "string", description: "Where the link leaves it open." },
        password: { type: "string", description: "The new password." },
      }, ["token", "password"]),
      answers: { 200: text("It is done: sign in.", schemaNamed("Empty")) },
      refusals: [
        ...badJson,
        "not_found",
        "throttled",
        "exists",
        "invalid_name",
        "invalid_password",
      ],
    }),
  },
};
