import { schemaNamed } from "../schemas.ts";
import { call } from "../call.ts";
import { parameterNamed } from "../parameters.ts";
import type { PathItem } from "../types.ts";

/** The call that searches entries. */
export const searchCalls: Record<string, PathItem> = {
  "/api/search/{path}": {
    get: call({
      id: "search",
      tag: "Resources",
      summary: "Find entries below a folder by their names",
      description:
        "Results are sent as they are found, nearer ones first, without a limit to their " +
        "number. Who accepts `application/x-ndjson` gets one object a line, to be read as they " +
        "come, and so does everybody at a server with `--api-compat 2.63`; all others one array. Links to folders are found, but not what is in them.",
      proof: "cookie",
      parameters: [
        parameterNamed("Path"),
        {
          name: "query",
          in: "query",
          required: true,
          description: "Words that must all be in the name, in any order, whatever their case. " +
            "A phrase in quotes is one of them, spaces and all. `case:sensitive` minds the case. " +
            "`type:image`, `audio` or `music`, `video`, `pdf`, or an extension such as `type:tar.gz` " +
            "wants a file of that kind; several are alternatives. Up to 1000 characters.",
          schema: { type: "string", minLength: 1 },
          example: 'holiday "new york" type:image',
        },
      ],
      answers: {
        200: {
          description: "What was found.",
          content: {
            "application/json": {
              schema: { type: "array", items: schemaNamed("SearchResult") },
            },
            "application/x-ndjson": { schema: schemaNamed("SearchResult") },
          },
        },
      },
      refusals: ["invalid_path", "invalid_option", "not_found", "busy"],
    }),
  },
};
