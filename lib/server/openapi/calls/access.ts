import { json } from "../answers.ts";
import { call } from "../call.ts";
import { schemaNamed } from "../schemas.ts";
import type { PathItem } from "../types.ts";

/** The call about the access of a user. */
export const accessCalls: Record<string, PathItem> = {
  "/api/users/{id}/access": {
    get: call({
      id: "explainAccess",
      tag: "Users",
      summary: "Tell what a user may do with an entry, and why not",
      description:
        "For administrators, and for places in their own scope. What is in a folder is " +
        "told as the user sees it, up to 500 entries.",
      auth: "cookie",
      parameters: [
        {
          name: "id",
          in: "path",
          required: true,
          description: "The user's number.",
          schema: { type: "integer", minimum: 1 },
        },
        {
          name: "path",
          in: "query",
          description: "From the scope of the user; `/` unless given.",
          schema: { type: "string" },
        },
      ],
      answers: { 200: json("What the user may do.", schemaNamed("AccessAnswer")) },
      refusals: ["invalid_path", "not_found"],
    }),
  },
};
