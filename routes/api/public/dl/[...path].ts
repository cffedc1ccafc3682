import type { RouteConfig } from "fresh";
import { calls } from "../../../../lib/server/http/calls.ts";
import { visitByCall } from "../../../../lib/server/http/request/share_requests.ts";
import { sharedDownload } from "../../../../lib/server/http/response/shared_download.ts";
import {
  downloadAnswers,
  downloadParameters,
} from "../../../../lib/server/openapi/parts/content.ts";
import { badVisit, sharedPath, shareProofs } from "../../../../lib/server/openapi/parts/shares.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/public/dl{/*}?" };

/** Downloads shared entries, for visitors with the link and the password. */
export const handler = calls({
  GET: {
    id: "downloadShared",
    tag: "Shares",
    summary: "Hand out what is shared to a visitor",
    description: "As `GET /api/raw/{path}` does to users. Where a file is shared, any name may " +
      "follow the hash.",
    who: "anyone",
    parameters: [sharedPath, ...shareProofs, ...downloadParameters],
    answers: downloadAnswers,
    refusals: [
      ...badVisit,
      "not_a_file",
      "not_supported",
      "precondition_failed",
      "range_not_satisfiable",
    ],
    async handle(ctx) {
      return await sharedDownload(ctx, await visitByCall(ctx, "public/dl"));
    },
  },
});
