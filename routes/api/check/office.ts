import { calls } from "../../../lib/server/http/calls.ts";
import { json, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { checkOffice } from "../../../lib/server/http/wopi/check_office.ts";

/** Whether the office server answers, for administrators. */
export const handler = calls({
  POST: {
    id: "checkOffice",
    tag: "Server",
    summary: "Check whether the office server answers",
    description:
      "Asks the office server for its description (WOPI discovery), and counts its formats. " +
      "Whether that server reaches this one is not tested.",
    who: "admin",
    answers: { 200: json("What was found.", schemaNamed("OfficeCheck")) },
    refusals: ["not_supported"],
    examples: `
$ curl -X POST $CUBBY/api/check/office -H "X-Auth: $TOKEN"
Cannot open the document in an editor: no office server is set up (--office-url)
`,
    async handle(ctx) {
      return jsonAnswer(await checkOffice(ctx));
    },
  },
});
