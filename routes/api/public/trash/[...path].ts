import type { RouteConfig } from "fresh";
import { calls } from "../../../../lib/server/http/calls.ts";
import { pathRoute } from "../../../../lib/server/http/request/request_path.ts";
import { restoreShared } from "../../../../lib/server/http/request/shared_changes.ts";
import { textAnswer } from "../../../../lib/server/http/response/answers.ts";
import { schemaNamed, text } from "../../../../lib/server/http/openapi/answers.ts";
import {
  arrivedInShare,
  closedShare,
  ofEditors,
  shareProofs,
} from "../../../../lib/server/http/openapi/parts/links.ts";
import { visitorName } from "../../../../lib/server/http/openapi/parts/office.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/public/trash/*?") };

/** Entries that somebody has deleted by a share: put back by whoever did. */
export const handler = calls({
  POST: {
    id: "restoreShared",
    tag: "Shares",
    summary: "Restore an entry that you deleted in a share",
    description: ofEditors +
      "Only for the recipient who deleted it, or the visitor who has the address, by the same " +
      "share, while it is in the trash. " +
      "The entry returns to its former place, or under another name, `a(1).txt`, where that " +
      "is taken; missing folders are created.",
    who: "anyone",
    parameters: [
      {
        name: "path",
        in: "path",
        required: true,
        description: "The share's hash and the id, from `Content-Location` of the deletion.",
        schema: { type: "string" },
        example: "kf8Xn0Zb3cQ9yZ1tq7vL2A/0mb3k2x9q-5f0c1d2e3a4b5c6d",
      },
      ...shareProofs,
      visitorName,
    ],
    answers: { 200: text("Restored.", schemaNamed("Done"), arrivedInShare) },
    refusals: [...closedShare, "exists", "read_only", "disk_full"],
    async handle(ctx) {
      const location = await restoreShared(ctx);
      return textAnswer("OK\n", { headers: { "content-location": location } });
    },
  },
});
