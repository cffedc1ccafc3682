import { calls } from "../../../lib/server/http/calls.ts";
import {
  maxWindow,
  timelineOf,
  withinParameter,
} from "../../../lib/server/http/request/timeline_requests.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";

/** The photos and videos of all folders by when they were taken. */
export const handler = calls({
  GET: {
    id: "timeline",
    tag: "Content",
    summary: "List the photos and videos of all folders by when they were taken",
    description:
      "Returns a window of the photos and videos in your folders, the latest first, with their " +
      "months or days. The first call of all begins an index, which a slow walk through all " +
      "folders fills; what is done through the server is in it at once. A file that is not read " +
      "yet, or that tells no time, stands where it was modified, in the time zone of the cookie " +
      "`tz`.\n\nNeeds the permission to download.",
    token: "read",
    parameters: [
      {
        name: "offset",
        in: "query",
        description: "How many photos to skip.",
        schema: { type: "integer", minimum: 0, default: 0 },
      },
      {
        name: "limit",
        in: "query",
        description: "How many photos to return.",
        schema: { type: "integer", minimum: 0, maximum: maxWindow, default: 50 },
      },
      {
        name: "around",
        in: "query",
        description: "The path of a photo: returns the window of `limit` photos, counted from " +
          "the first, that contains it. Without it in the timeline, `offset` applies.",
        schema: { type: "string" },
      },
      {
        name: "groupBy",
        in: "query",
        description: "The unit of the groups: `day`, or months by default.",
        schema: { type: "string", enum: ["month", "day"], default: "month" },
      },
      withinParameter,
    ],
    answers: { 200: json("The window.", schemaNamed("Timeline")) },
    refusals: ["invalid_path", "invalid_option"],
    examples: `
$ curl -s "$CUBBY/api/timeline?limit=1" -H "X-Auth: $TOKEN" | jq -r .total
3
`,
    async handle(ctx) {
      return jsonAnswer(await timelineOf(ctx));
    },
  },
});
