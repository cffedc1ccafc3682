import { headerNamed } from "../headers.ts";
import { call } from "../call.ts";
import { parameterNamed } from "../parameters.ts";
import type { PathItem } from "../types.ts";

/** The call that streams changes. */
export const watchCalls: Record<string, PathItem> = {
  "/api/watch/{path}": {
    get: call({
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
      auth: "cookie",
      parameters: [parameterNamed("Path")],
      answers: {
        200: {
          description: "The events as they come. Lines that begin with a colon mean nothing.",
          headers: { "X-Accel-Buffering": headerNamed("Unbuffered") },
          content: { "text/event-stream": { schema: { type: "string" } } },
        },
      },
      refusals: ["invalid_path", "not_found", "throttled", "not_supported"],
    }),
  },
};
