import { apiTokenDraftSchema } from "../../../lib/shared/schemas/api_token.ts";
import { read } from "../../../lib/shared/schemas/read.ts";
import { toApiTokenInfo } from "../../../lib/server/features/accounts/auth/api_token.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { sessionOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { recordActivity } from "../../../lib/server/http/request/activities.ts";
import { requireReauthentication } from "../../../lib/server/http/request/auth/require_passwords.ts";
import { boundOf, tokenOwnerOf } from "../../../lib/server/http/request/auth/token_requests.ts";
import { listAnswer, listOf } from "../../../lib/server/http/request/lists/list.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, list, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { jsonBody, passwordProof } from "../../../lib/server/http/openapi/json_body.ts";
import { listParameters } from "../../../lib/server/http/openapi/parameters.ts";

/** The user's own API tokens, listed and made; administrators list those of others. */
export const handler = calls({
  GET: {
    id: "listApiTokens",
    tag: "Sessions",
    summary: "List your API tokens",
    description:
      "Contains no secrets. Tokens that have expired within the last month are listed as " +
      "well. `lastUsed` is at most a minute behind.",
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
    examples: `
$ curl $CUBBY/api/tokens -H "X-Auth: $TOKEN"
[]
`,
    async handle(ctx) {
      const owner = await tokenOwnerOf(ctx, sessionOf(ctx).user);
      const tokens = await ctx.state.cubby.apiTokens.list(owner.id);
      const list = listOf(tokens, {
        positionOf: ({ id }) => id,
        textOf: ({ name }) => name,
        show: (some) => some.map((token) => toApiTokenInfo(token, owner)),
      });
      return await listAnswer(ctx, list);
    },
  },
  POST: {
    id: "makeApiToken",
    tag: "Sessions",
    summary: "Create an API token",
    description:
      "A key for a program. Send it in `X-Auth`, as `Authorization: Bearer`, or as the " +
      "password of `Authorization: Basic` with any name. It can do at most what its user can " +
      "at that moment, only in calls that accept API tokens, and never as an administrator. " +
      "The token is returned this once; the server stores only a digest. A user has at most " +
      "100.\n\n" +
      "Without `write` and `share` it can only read. Without `folder` it works everywhere. " +
      "Without `expires` it lasts until you revoke it. A token for a folder is bound to its " +
      "path and does not follow when the folder is moved.",
    body: jsonBody({
      ...apiTokenDraftSchema.entries,
      current_password: passwordProof,
    }, ["name"]),
    answers: { 201: json("The token, returned this once.", schemaNamed("NewApiToken")) },
    refusals: ["invalid_path", "not_found", "wrong_credentials", "throttled"],
    examples: `
$ KEY=$(curl -s $CUBBY/api/tokens -H "X-Auth: $TOKEN" --json '{"name": "backup", "folder": "/photos", "expires": "2099-01-01T00:00:00Z", "current_password": "a cub naps beside 7 rivers"}' | jq -r .token)
$ curl $CUBBY/api/raw/photos/sea.jpg -H "Authorization: Bearer $KEY"
not really a picture

$ curl $CUBBY/api/raw/notes.txt -H "Authorization: Bearer $KEY"
Cannot open "/notes.txt": access is denied
$ curl -X DELETE $CUBBY/api/resources/photos/sea.jpg -H "X-Auth: $KEY"
Cannot answer the request: the API token may only read
$ curl $CUBBY/api/tokens -H "X-Auth: $TOKEN"
[{"id":"…","name":"backup","write":false,"share":false,"folder":"/photos","bound":true,"userID":1,"created":"…","expires":"2099-01-01T00:00:00.000Z","lastUsed":"…"}]
`,
    async handle(ctx, body) {
      const { user } = sessionOf(ctx);
      const { folder, ...draft } = read(apiTokenDraftSchema, body);
      const place = boundOf(ctx, folder);
      await requireReauthentication(ctx, body);
      const { token, secret } = await ctx.state.cubby.apiTokens.create(user.id, draft, place);
      recordActivity(ctx, "token_add", { subject: token.name });
      return jsonAnswer({ ...toApiTokenInfo(token, user), token: secret }, { status: 201 });
    },
  },
});
