import type { RouteConfig } from "fresh";
import { calls } from "../../../lib/server/http/calls.ts";
import { pathRoute } from "../../../lib/server/http/request/request_path.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { listedPath } from "../../../lib/server/http/request/place_requests.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { done } from "../../../lib/server/http/openapi/answers.ts";
import { parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";

/** Below the list, which the file's name alone would match as well. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/recent/*") };

/** A file that the user has opened. */
export const handler = calls({
  PUT: {
    id: "noteRecent",
    tag: "Resources",
    summary: "Record that you opened a file",
    description: "The pages call it when a file has been on screen for a second.",
    token: "whole write",
    parameters: [parameterNamed("Path")],
    answers: { 200: done },
    refusals: ["invalid_path", "is_folder", "not_found"],
    examples: `
$ curl -s -X PUT $CUBBY/api/recent/film.srt -H "X-Auth: $TOKEN"
OK
`,
    handle(ctx) {
      const path = listedPath(ctx, "recent");
      const { user } = signedInOf(ctx);
      const access = accessFor(ctx);
      if (user.keepRecent) ctx.state.cubby.recent.note(user.id, access, path, "opened");
      return textAnswer("OK\n");
    },
  },
});
