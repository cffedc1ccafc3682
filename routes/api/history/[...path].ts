import type { RouteConfig } from "fresh";
import { DomainError } from "../../../lib/shared/errors.ts";
import { historyOf } from "../../../lib/server/features/audit/history.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { pathRoute, requestPath } from "../../../lib/server/http/request/request_path.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/history/*?") };

/** The history of one entry, for those who may see it. */
export const handler = calls({
  GET: {
    id: "entryHistory",
    tag: "Resources",
    summary: "List what was done to an entry",
    description:
      "The latest first, as far back as the activity log goes; it follows the entry to places " +
      "where it was before. Places that you may not see are null, and what was done there is " +
      "left out. While the activity log is off, the call is 501 `not_supported`.",
    parameters: [parameterNamed("Path")],
    answers: { 200: json("Its history.", schemaNamed("EntryHistory")) },
    refusals: ["invalid_path", "not_found", "not_supported"],
    examples: `
$ curl -s $CUBBY/api/history/ -H "X-Auth: $TOKEN" -H 'Accept: application/json' | jq -r .code
not_supported
`,
    async handle(ctx) {
      const { path } = requestPath(ctx, "history");
      const access = accessFor(ctx);
      access.stat(path);
      if (signedInOf(ctx).settings.audit.level === "off") {
        throw new DomainError(
          "not_supported",
          `Cannot show the history of "${path}": the activity log is off`,
        );
      }
      const { audit, store } = ctx.state.cubby;
      await audit.flush();
      return jsonAnswer(await historyOf(store, access, path));
    },
  },
});
