import { calls } from "../../../lib/server/http/calls.ts";
import { favoritesOf } from "../../../lib/server/http/request/place_requests.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";

/** The user's own favourites, in their order. */
export const handler = calls({
  GET: {
    id: "listFavorites",
    tag: "Resources",
    summary: "List your favourites",
    description:
      "In your order. `isGone` is true while nothing is at the path. Favourites follow " +
      "entries that are renamed or moved, by anyone. Entries that a rule hides from you, or " +
      "that are outside your scope, are left out.",
    token: "read",
    answers: {
      200: json("The favourites.", { type: "array", items: schemaNamed("Favorite") }),
    },
    examples: `
$ curl -s -X PUT $CUBBY/api/favorites/notes.txt -H "X-Auth: $TOKEN"
OK
$ curl -s $CUBBY/api/favorites -H "X-Auth: $TOKEN"
[{"path":"/notes.txt","name":"notes.txt","isDir":false,"isGone":false}]
`,
    async handle(ctx) {
      return jsonAnswer(await favoritesOf(ctx));
    },
  },
});
