import { json, list, text } from "../answers.ts";
import { call } from "../call.ts";
import { badJson, jsonBody } from "../json_body.ts";
import { apiTokenDraft, schemaNamed } from "../schemas.ts";
import { listParameters } from "../parameters.ts";
import type { PathItem } from "../types.ts";

const tag = "Sessions";

/** The calls that make, list and revoke API tokens. */
export const apiTokenCalls: Record<string, PathItem> = {
  "/api/tokens": {
    get: call({
      id: "listApiTokens",
      tag,
      summary: "List one's own API tokens",
      description: "Those that have ended within the last month as well.",
      auth: "cookie",
      parameters: [{
        name: "user",
        in: "query",
        description: "For administrators: the number of the user whose tokens are meant.",
        schema: { type: "integer", minimum: 1 },
      }, ...listParameters("the name")],
      answers: {
        200: list("Newest first.", schemaNamed("ApiToken")),
      },
      refusals: ["invalid_option", "not_found"],
    }),
    post: call({
      id: "makeApiToken",
      tag,
      summary: "Make an API token",
      description:
        "A key for a program, to be sent in `X-Auth`, as `Authorization: Bearer` or as " +
        "the password of `Authorization: Basic`, with any name. It may do at most what its user may " +
        "at that moment, and only the calls that name it; never as an administrator. A user has at " +
        "most 100.",
      auth: "token",
      body: jsonBody({
        ...apiTokenDraft,
        current_password: {
          type: "string",
          description:
            "The password of the one who asks. Not where the server vouches for its users.",
        },
      }, ["name"]),
      answers: { 201: json("The token, which is told this once.", schemaNamed("NewApiToken")) },
      refusals: [...badJson, "invalid_path", "not_found", "wrong_credentials", "throttled"],
    }),
  },

  "/api/tokens/{id}": {
    delete: call({
      id: "revokeApiToken",
      tag,
      summary: "Revoke an API token",
      description: "One's own; for administrators anybody's. It is dead at once.",
      auth: "token",
      parameters: [{
        name: "id",
        in: "path",
        required: true,
        description: "The token, as `GET /api/tokens` names it.",
        schema: { type: "string", pattern: "^[\\w-]{43}$" },
      }],
      answers: { 200: text("It is gone.", schemaNamed("Empty")) },
      refusals: ["not_found"],
    }),
  },
};
