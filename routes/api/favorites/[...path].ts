import type { RouteConfig } from "fresh";
import { calls } from "../../../lib/server/http/calls.ts";
import { pathRoute } from "../../../lib/server/http/request/request_path.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { beforeOption, listedPath } from "../../../lib/server/http/request/place_requests.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { done } from "../../../lib/server/http/openapi/answers.ts";
import { parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";

/** Below the list, which the file's name alone would match as well. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/favorites/*") };

/** One of the user's favourites: starred, moved in the order, and removed. */
export const handler = calls({
  PUT: {
    id: "putFavorite",
    tag: "Resources",
    summary: "Star an entry, or move it in the list of favourites",
    description:
      "A new favourite comes last, or before the one that `before` names. A user has at most " +
      "100; one more is 400 `invalid_body`.",
    token: "whole write",
    parameters: [
      parameterNamed("Path"),
      {
        name: "before",
        in: "query",
        description: "The path of the favourite to put it before; without one it comes last.",
        schema: { type: "string" },
      },
    ],
    answers: { 200: done },
    refusals: ["invalid_path", "invalid_body", "not_found"],
    examples: `
$ curl -s -X PUT $CUBBY/api/favorites/nothing -H "X-Auth: $TOKEN"
Cannot read "/nothing": it is not there
`,
    async handle(ctx) {
      const path = listedPath(ctx, "favorites");
      const { user } = signedInOf(ctx);
      await ctx.state.cubby.favorites.put(user.id, accessFor(ctx), path, beforeOption(ctx.url));
      return textAnswer("OK\n");
    },
  },
  DELETE: {
    id: "removeFavorite",
    tag: "Resources",
    summary: "Remove an entry from the favourites",
    description: "Also works for an entry that is gone.",
    token: "whole write",
    parameters: [parameterNamed("Path")],
    answers: { 200: done },
    refusals: ["invalid_path", "not_found"],
    examples: `
$ curl -s -X DELETE $CUBBY/api/favorites/notes.txt -H "X-Auth: $TOKEN"
OK
$ curl -s -X DELETE $CUBBY/api/favorites/notes.txt -H "X-Auth: $TOKEN"
Cannot remove "/notes.txt" from the favourites: it is not among them
`,
    async handle(ctx) {
      const path = listedPath(ctx, "favorites");
      await ctx.state.cubby.favorites.remove(signedInOf(ctx).user.id, accessFor(ctx), path);
      return textAnswer("OK\n");
    },
  },
});
