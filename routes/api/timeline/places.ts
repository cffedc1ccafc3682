import { calls } from "../../../lib/server/http/calls.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";

/** Where the photos of the timeline were taken, for a map. */
export const handler = calls({
  GET: {
    id: "timelinePlaces",
    tag: "Content",
    summary: "Get where the photos of the timeline were taken",
    description:
      "Returns the places of your photos and videos that tell one, to some ten metres. " +
      "Only you get them: nobody sees them by a share.\n\nNeeds the permission to download.",
    token: "read",
    answers: { 200: json("The places.", schemaNamed("PhotoPlaces")) },
    examples: `
$ curl -s $CUBBY/api/timeline/places -H "X-Auth: $TOKEN" | jq -r .total
0
`,
    async handle(ctx) {
      return jsonAnswer(await ctx.state.cubby.photos.places(accessFor(ctx)));
    },
  },
});
