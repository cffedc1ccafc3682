import type { ErrorCode } from "../../../shared/errors.ts";
import { json, list, text } from "../answers.ts";
import { call } from "../call.ts";
import { badJson, jsonBody } from "../json_body.ts";
import { groupChange, schemaNamed } from "../schemas.ts";
import { listParameters } from "../parameters.ts";
import type { PathItem, Schema } from "../types.ts";

const tag = "Users";

const id = {
  name: "id",
  in: "path" as const,
  required: true,
  description: "The group's number.",
  schema: { type: "integer", minimum: 1 } satisfies Schema,
};

const currentPassword: Schema = {
  type: "string",
  description: "The password of the one who asks. Not where the server vouches for its users.",
};

const groupOrRow: Schema = {
  anyOf: [
    schemaNamed("Group"),
    {
      type: "object",
      properties: { id: { type: "integer" }, memberCount: { type: "integer", minimum: 0 } },
      required: ["id", "memberCount"],
    },
  ],
};

const body = { ...groupChange, current_password: currentPassword };

const unsound: readonly ErrorCode[] = [
  ...badJson,
  "invalid_name",
  "invalid_rule",
  "wrong_credentials",
  "throttled",
];

/** The calls that list, add, change and remove groups. */
export const groupCalls: Record<string, PathItem> = {
  "/api/groups": {
    get: call({
      id: "listGroups",
      tag,
      summary: "List the groups",
      description: "For administrators.",
      auth: "cookie",
      parameters: [
        ...listParameters("the name"),
        {
          name: "counts",
          in: "query",
          description: "`true` gives `memberCount`, how many members a group has, in place of " +
            "`members`.",
          schema: { type: "boolean", default: false },
        },
      ],
      answers: { 200: list("By number.", groupOrRow) },
      refusals: ["invalid_option"],
    }),
    post: call({
      id: "addGroup",
      tag,
      summary: "Add a group",
      description: "For administrators. Fields that are left out give nothing.",
      auth: "token",
      body: jsonBody(body, ["name"]),
      answers: { 201: json("It is there.", schemaNamed("Group")) },
      refusals: [...unsound, "not_found", "exists"],
    }),
  },

  "/api/groups/{id}": {
    get: call({
      id: "getGroup",
      tag,
      summary: "Describe a group",
      description: "For administrators.",
      auth: "cookie",
      parameters: [id],
      answers: { 200: json("The group.", schemaNamed("Group")) },
      refusals: ["not_found"],
    }),
    put: call({
      id: "changeGroup",
      tag,
      summary: "Change some fields of a group",
      description:
        "For administrators. Fields that are left out stay, `members` as well, of whom " +
        "`join` and `leave` change some. It " +
        "holds for the members at once, in their sessions, too.",
      auth: "token",
      parameters: [id],
      body: jsonBody(body, []),
      answers: { 200: json("The group as it is now.", schemaNamed("Group")) },
      refusals: [...unsound, "not_found", "exists"],
    }),
    delete: call({
      id: "removeGroup",
      tag,
      summary: "Remove a group",
      description: "For administrators. Its members stay, without what it gave them.",
      auth: "token",
      parameters: [id],
      body: jsonBody({ current_password: currentPassword }, []),
      answers: { 200: text("It is gone.", schemaNamed("Empty")) },
      refusals: [...badJson, "wrong_credentials", "throttled", "not_found"],
    }),
  },
};
