import { calls } from "../../../lib/server/http/calls.ts";
import { favoritesOf } from "../../../lib/server/http/request/place_requests.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json } from "../../../lib/server/openapi/answers.ts";
import { schemaNamed } from "../../../lib/server/openapi/references.ts";

/** The user's own favourites, in their order. */
export const handler = calls({
  GET: {
    id: "listFavorites",
    tag: "Resources",
    summary: "List one's own favourites, in their order",
    description: "They follow entries that are renamed or moved. What a rule hides or lies " +
      "outside one's scope by now is left out.",
    token: "read",
    answers: {
      200: json("The favourites.", { type: "array", items: schemaNamed("Favorite") }),
    },
    async handle(ctx) {
      return jsonAnswer(await favoritesOf(ctx));
    },
  },
});
