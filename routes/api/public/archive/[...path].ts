import type { RouteConfig } from "fresh";
import { calls } from "../../../../lib/server/http/calls.ts";
import { pathRoute } from "../../../../lib/server/http/request/request_path.ts";
import {
  needReadInPlace,
  visitByCall,
} from "../../../../lib/server/http/request/share_requests.ts";
import {
  archivedFileAnswer,
  archiveFolderAnswer,
} from "../../../../lib/server/http/response/browse_answers.ts";
import {
  browseAnswers,
  browseParameters,
  unbrowsable,
} from "../../../../lib/server/http/openapi/parts/files.ts";
import {
  closedShare,
  sharedPath,
  shareProofs,
} from "../../../../lib/server/http/openapi/parts/links.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/public/archive/*?") };

/** Shows a shared archive as a folder, for visitors with the link and the password. */
export const handler = calls({
  GET: {
    id: "browseSharedArchive",
    tag: "Shares",
    summary: "Browse a shared archive, or extract one file",
    description:
      "As `GET /api/archive/{path}`. 403 in a share that counts downloads, or that allows " +
      "viewing only: what comes out of an archive is a download.",
    who: "anyone",
    parameters: [sharedPath, ...shareProofs, ...browseParameters],
    answers: browseAnswers,
    refusals: [...new Set([...closedShare, "not_a_file" as const, ...unbrowsable])],
    async handle(ctx) {
      const visit = await visitByCall(ctx, "public/archive");
      needReadInPlace(visit, "Cannot look into the archive");
      const { access, owner, path } = visit;
      const entry = ctx.url.searchParams.get("entry");
      if (entry !== null) return await archivedFileAnswer(ctx, access, path, entry);
      return await archiveFolderAnswer(ctx, access, path, owner.sorting);
    },
  },
});
