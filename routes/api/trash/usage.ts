import { calls } from "../../../lib/server/http/calls.ts";
import { trashUsage } from "../../../lib/server/http/request/trash_requests.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json } from "../../../lib/server/openapi/answers.ts";
import { schemaNamed } from "../../../lib/server/openapi/references.ts";

/** How much the trash of all users holds, for administrators. */
export const handler = calls({
  GET: {
    id: "trashUsage",
    tag: "Resources",
    summary: "Tell how much the trash of each user holds",
    description: "For administrators. Folders are measured when this is asked first: for up to " +
      "three seconds, then in the background.",
    who: "admin",
    answers: { 200: json("What it holds.", schemaNamed("TrashUsage")) },
    async handle(ctx) {
      return jsonAnswer(await trashUsage(ctx.state.cubby));
    },
  },
});
