import type { RouteConfig } from "fresh";
import { calls } from "../../../lib/server/http/calls.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { pathRoute, requestPath } from "../../../lib/server/http/request/request_path.ts";
import { headerNamed } from "../../../lib/server/http/openapi/answers.ts";
import { parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/watch/*?") };

/** An event stream of the changes in a folder. */
export const handler = calls({
  GET: {
    id: "watch",
    tag: "Resources",
    summary: "Watch a folder for changes",
    description:
      "Server-sent events: `ready` once the folder is watched, with its `modified` time, then " +
      "`changed` when an entry that you may know of is added, changed or removed, at most " +
      "twice a second, and when your user or one of its groups has changed. An event does not " +
      "say what has changed: read the folder again. Deeper folders are not watched.\n\n" +
      "With a session, `notifications` has the number of `unread` ones whenever the list has " +
      "changed; none is sent before there was one. For a user with named roots, `ready` has " +
      "them as `roots`, and `roots` is sent when a group has granted or revoked some; null " +
      "stands for a scope.\n\n" +
      "The stream ends with the session, when the server stops, and, after a last `changed`, " +
      "when the folder is moved or deleted: connect again. A user can watch 32 folders at a " +
      "time; more are 429. A disk on another machine may not report changes made there.",
    token: "read",
    parameters: [parameterNamed("Path")],
    answers: {
      200: {
        description: "The events. Ignore lines that start with a colon.",
        headers: { "X-Accel-Buffering": headerNamed("Unbuffered") },
        content: { "text/event-stream": { schema: { type: "string" } } },
      },
    },
    refusals: ["invalid_path", "not_found", "throttled", "not_supported"],
    handle(ctx) {
      const { path } = requestPath(ctx, "watch");
      const headers = {
        "content-type": "text/event-stream; charset=utf-8",
        // Proxies that buffer answers would hold the events back.
        "x-accel-buffering": "no",
      };
      if (ctx.req.method === "HEAD") {
        accessFor(ctx).folder(path);
        return new Response(null, { headers });
      }
      return new Response(ctx.state.cubby.watches.open(signedInOf(ctx), path), { headers });
    },
  },
});
