import type { RouteConfig } from "fresh";
import { calls } from "../../../lib/server/http/calls.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { pathRoute, requestPath } from "../../../lib/server/http/request/request_path.ts";
import {
  archivedFileAnswer,
  archiveFolderAnswer,
} from "../../../lib/server/http/response/browse_answers.ts";
import {
  browseAnswers,
  browseParameters,
  unbrowsable,
} from "../../../lib/server/http/openapi/parts/files.ts";
import { parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/archive/*?") };

/** Shows an archive as a folder; with `entry`, sends a file out of it. */
export const handler = calls({
  GET: {
    id: "browseArchive",
    tag: "Content",
    summary: "Browse an archive, or extract one file",
    description:
      "Reads zip, tar (also compressed by gzip, bzip2, xz, zstd, lz4, snappy or brotli), 7z " +
      "and rar; the last two up to 256 MiB, with up to 256 MiB in them. Paths that lead out " +
      "of the archive are not listed: `refused` counts and names them. Links are listed but " +
      "cannot be opened.\n\n" +
      "`entry` returns one file, with the headers of `GET /api/raw/{path}` but without " +
      "ranges. If the archive proves to be damaged meanwhile, the connection breaks.\n\n" +
      "A compressed tar must be read to its end before its folders are known. With `Prefer: " +
      "respond-async, wait=2` the answer is 202 if that takes longer than two seconds; repeat " +
      "the call to continue. The reading is cancelled after 15 seconds without such a call. " +
      "Its result is cached in memory until the archive changes.\n\n" +
      "Needs the permission to download.",
    token: "read",
    parameters: [
      parameterNamed("Path"),
      ...browseParameters,
    ],
    answers: browseAnswers,
    refusals: ["invalid_path", "not_a_file", ...unbrowsable],
    examples: `
$ curl "$CUBBY/api/archive/trip.zip?inside=/photos" -H "X-Auth: $TOKEN"
{"path":"/photos","numDirs":0,"numFiles":1,"offset":0,"sorting":{"by":"name","asc":true},"size":3,"total":2,"refused":{"count":0,"entries":[]},"items":[{"name":"sea.jpg","path":"/photos/sea.jpg","kind":"file","type":"image","extension":".jpg","size":3,"modified":"2024-01-01T00:00:00.000Z","encrypted":false}]}
$ curl "$CUBBY/api/archive/trip.zip?entry=/photos/sea.jpg" -H "X-Auth: $TOKEN"
sea
`,
    async handle(ctx) {
      const { path } = requestPath(ctx, "archive");
      const access = accessFor(ctx);
      const entry = ctx.url.searchParams.get("entry");
      if (entry !== null) return await archivedFileAnswer(ctx, access, path, entry);
      return await archiveFolderAnswer(ctx, access, path, signedInOf(ctx).user.sorting);
    },
  },
});
