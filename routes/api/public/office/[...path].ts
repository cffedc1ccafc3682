import type { RouteConfig } from "fresh";
import { calls } from "../../../../lib/server/http/calls.ts";
import {
  badVisit,
  sharedPath,
  shareProofs,
} from "../../../../lib/server/http/openapi/parts/links.ts";
import {
  openedDocument,
  openingParameters,
  visitorName,
} from "../../../../lib/server/http/openapi/parts/office.ts";
import { pathRoute } from "../../../../lib/server/http/request/request_path.ts";
import { jsonAnswer } from "../../../../lib/server/http/response/answers.ts";
import { openSharedDocument } from "../../../../lib/server/http/wopi/open_document.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/public/office/*?") };

/** Shared documents in the editors of the office server. */
export const handler = calls({
  POST: {
    id: "openSharedDocument",
    tag: "Shares",
    summary: "Open a shared document in an editor of the office server",
    description: "As `POST /api/office/{path}`: to edit for those who may `edit`, to view for " +
      "all others. The token ends with the share, and with each change of its terms.",
    who: "anyone",
    parameters: [sharedPath, ...shareProofs, ...openingParameters, visitorName],
    answers: { 200: openedDocument },
    refusals: [...badVisit, "is_folder", "not_a_file", "not_supported"],
    async handle(ctx) {
      return jsonAnswer(await openSharedDocument(ctx));
    },
  },
});
