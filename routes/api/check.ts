import { DomainError } from "../../lib/shared/errors.ts";
import { maxProbe } from "../../lib/shared/schemas/server_check.ts";
import { calls } from "../../lib/server/http/calls.ts";
import { checkServerFor } from "../../lib/server/http/request/server_checks.ts";
import { jsonAnswer, textAnswer } from "../../lib/server/http/response/answers.ts";
import { binary, json, schemaNamed, text } from "../../lib/server/http/openapi/answers.ts";

/** How the server is set up, for administrators. */
export const handler = calls({
  GET: {
    id: "checkServer",
    tag: "Server",
    summary: "Check how the server is set up",
    description:
      "Checks the address and the proxy by which this request has come, who may sign up, the " +
      "activity log, the last backup by `backup`, the programs for previews, the store, and the " +
      "disk of the served folder.",
    who: "admin",
    answers: { 200: json("What was found.", schemaNamed("ServerCheck")) },
    examples: `
$ curl -s $CUBBY/api/check -H "X-Auth: $TOKEN" | jq -r .checks[2].finding
closed
`,
    async handle(ctx) {
      return jsonAnswer(await checkServerFor(ctx));
    },
  },
  POST: {
    id: "probeUploads",
    tag: "Server",
    summary: "Check that a body of some size arrives",
    description:
      "Reads the body and drops it. A proxy with a lower limit refuses it instead. The largest " +
      `body is ${maxProbe / 2 ** 20} MiB.`,
    who: "admin",
    body: { description: "Any bytes.", content: { "application/octet-stream": binary } },
    answers: { 200: text("The whole body has arrived.", schemaNamed("Empty")) },
    refusals: ["body_too_large"],
    examples: `
$ echo 'As large as an upload chunk' > chunk.txt
$ curl -i --data-binary @chunk.txt $CUBBY/api/check -H "X-Auth: $TOKEN"
HTTP/1.1 200 OK
content-type: text/plain; charset=utf-8
`,
    async handle({ req }) {
      let size = 0;
      for await (const bytes of req.body ?? []) {
        size += bytes.length;
        if (size > maxProbe) {
          throw new DomainError(
            "body_too_large",
            `Cannot read the body: it is larger than ${maxProbe / 2 ** 20} MiB`,
          );
        }
      }
      return textAnswer();
    },
  },
});
