import { calls } from "../../lib/server/http/calls.ts";
import { jsonAnswer, textAnswer } from "../../lib/server/http/response/answers.ts";
import { json, schemaNamed, text } from "../../lib/server/http/openapi/answers.ts";

/** The index of content search, for administrators. */
export const handler = calls({
  GET: {
    id: "contentIndex",
    tag: "Server",
    summary: "Say how far the index of content search is",
    who: "admin",
    answers: { 200: json("The state of the index.", schemaNamed("ContentIndex")) },
    examples: `
$ curl -s $CUBBY/api/contents -H "X-Auth: $TOKEN" | jq -r .state
off
`,
    async handle(ctx) {
      return jsonAnswer(await ctx.state.cubby.contents.state());
    },
  },

  /** Has it rebuilt. */
  POST: {
    id: "rebuildContentIndex",
    tag: "Server",
    summary: "Have the index of content search built anew",
    description:
      "The work starts within about a second; until it is done, searches find less. While " +
      "content search is off, the call is refused.",
    who: "admin",
    answers: { 200: text("Accepted.", schemaNamed("Done")) },
    refusals: ["not_supported"],
    examples: `
$ curl -X POST $CUBBY/api/contents -H "X-Auth: $TOKEN"
Cannot build the index: content search is off
`,
    async handle(ctx) {
      await ctx.state.cubby.contents.rebuild();
      return textAnswer("OK\n");
    },
  },
});
