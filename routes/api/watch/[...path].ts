import type { RouteConfig } from "fresh";
import { calls } from "../../../lib/server/http/calls.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import { headerNamed } from "../../../lib/server/openapi/headers.ts";
import { parameterNamed } from "../../../lib/server/openapi/parameters.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/watch{/*}?" };

/** An event stream of the changes in a folder. */
export const handler = calls({
  GET: {
    id: "watch",
    tag: "Resources",
    summary: "Be told when a folder changes",
    description:
      "Server-sent events, for as long as the client stays: `ready` once the folder is " +
      "watched, with its `modified` time, then `changed` whenever an entry that the user may " +
      "know of comes, changes or goes, two a second at most, and when the user or a group of " +
      "the user was changed. An event does not say what has changed: read the folder again. " +
      "What lies deeper is not watched. With a session, `notifications` tells how many of " +
      "one's own are not read, as `unread`, whenever the list has changed; nothing before " +
      "there was one. `ready` has the named `roots` of a user who has some, and `roots` tells " +
      "them anew when a group has given or taken some.\n\n" +
      "The stream ends with the session, with the server, and, after a last `changed`, when the " +
      "folder is moved or deleted. A disk on another machine may tell of no changes.",
    token: "read",
    parameters: [parameterNamed("Path")],
    answers: {
      200: {
        description: "The events as they come. Lines that begin with a colon mean nothing.",
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
