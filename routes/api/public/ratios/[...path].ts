import type { RouteConfig } from "fresh";
import { calls } from "../../../../lib/server/http/calls.ts";
import { pathRoute } from "../../../../lib/server/http/request/request_path.ts";
import { visitByCall } from "../../../../lib/server/http/request/share_requests.ts";
import { ratiosAnswer } from "../../../../lib/server/http/response/resource_answers.ts";
import { json, schemaNamed } from "../../../../lib/server/http/openapi/answers.ts";
import { ratioParameters } from "../../../../lib/server/http/openapi/parts/files.ts";
import {
  badVisit,
  sharedPath,
  shareProofs,
} from "../../../../lib/server/http/openapi/parts/links.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/public/ratios/*?") };

/** The shapes of shared pictures, for visitors with the link and the password. */
export const handler = calls({
  GET: {
    id: "sharedRatios",
    tag: "Shares",
    summary: "Get the aspect ratios of all pictures of a shared folder",
    description: "As `GET /api/ratios/{path}`.",
    who: "anyone",
    parameters: [sharedPath, ...shareProofs, ...ratioParameters],
    answers: { 200: json("One number for each entry.", schemaNamed("Ratios")) },
    refusals: badVisit,
    async handle(ctx) {
      const { access, owner, path } = await visitByCall(ctx, "public/ratios");
      return await ratiosAnswer(ctx, access, path, owner.sorting);
    },
  },
});
