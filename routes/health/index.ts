import { calls } from "../../lib/server/http/calls.ts";
import { jsonAnswer } from "../../lib/server/http/response/answers.ts";
import { json } from "../../lib/server/http/openapi/answers.ts";
import { statusSchema } from "../../lib/server/http/openapi/parts/administration.ts";

/** Liveness probe; needs no token. */
export const handler = calls({
  GET: {
    id: "health",
    tag: "Server",
    summary: "Tell that the server answers",
    description:
      "For probes and proxies. It is 200 also while files cannot be served, because a restart " +
      "would not help.",
    who: "anyone",
    answers: {
      200: json("The server is running.", statusSchema("OK")),
    },
    examples: `
$ curl -i $CUBBY/health
HTTP/1.1 200 OK
content-type: application/json; charset=utf-8

{"status":"OK"}
`,
    handle() {
      return jsonAnswer({ status: "OK" }, { headers: { "cache-control": "no-store" } });
    },
  },
});
