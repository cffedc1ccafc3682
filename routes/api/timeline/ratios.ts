import { calls } from "../../../lib/server/http/calls.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { countOption } from "../../../lib/server/http/request/query.ts";
import { photoQuery, withinParameter } from "../../../lib/server/http/request/timeline_requests.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { maxRatios } from "../../../lib/shared/schemas/choices/choices.ts";

/** The shapes of the photos of the timeline. */
export const handler = calls({
  GET: {
    id: "timelineRatios",
    tag: "Content",
    summary: "Get the aspect ratios of the photos of the timeline",
    description:
      `Returns up to ${maxRatios} ratios in the order of the timeline: the width of each photo in ` +
      "percent of its height, turned upright; 0 for a file that is not read yet.\n\n" +
      "Needs the permission to download.",
    token: "read",
    parameters: [
      {
        name: "offset",
        in: "query",
        description: "How many photos to skip.",
        schema: { type: "integer", minimum: 0, default: 0 },
      },
      withinParameter,
    ],
    answers: { 200: json("One number for each photo.", schemaNamed("Ratios")) },
    refusals: ["invalid_option"],
    examples: `
$ curl -s $CUBBY/api/timeline/ratios -H "X-Auth: $TOKEN" | jq -r .unread
0
`,
    async handle(ctx) {
      const offset = countOption(ctx.url.searchParams, "offset") ?? 0;
      const window = { offset, limit: maxRatios };
      const { photos } = ctx.state.cubby;
      const ratios = await photos.ratios(accessFor(ctx), photoQuery(ctx), window);
      return jsonAnswer({ ratios, unread: ratios.filter((ratio) => ratio === 0).length });
    },
  },
});
