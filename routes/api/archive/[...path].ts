import type { RouteConfig } from "fresh";
import { calls } from "../../../lib/server/http/calls.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { pathRoute, requestPath } from "../../../lib/server/http/request/request_path.ts";
import {
  archivedFileAnswer,
  archiveFolderAnswer,
} from "../../../lib/server/http/response/browse_answers.ts";
import {
  bytes,
  headerNamed,
  json,
  nothing,
  schemaNamed,
} from "../../../lib/server/http/openapi/answers.ts";
import {
  conditions,
  parameterNamed,
  sortParameters,
} from "../../../lib/server/http/openapi/parameters.ts";
import { ofBytes } from "../../../lib/server/http/openapi/parts/files.ts";
import type { Header, Parameter, Reference } from "../../../lib/server/http/openapi/types.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/archive/*?") };

const browsing: Parameter[] = [
  {
    name: "inside",
    in: "query",
    description: "The folder in the archive; its top when left out.",
    schema: { type: "string", default: "/" },
    example: "/photos/",
  },
  {
    name: "entry",
    in: "query",
    description: "A file in the archive, to be sent in place of a list.",
    schema: { type: "string" },
    example: "/photos/sea.jpg",
  },
  {
    name: "offset",
    in: "query",
    description: "How many of the folder's entries to leave out.",
    schema: { type: "integer", minimum: 0, default: 0 },
  },
  {
    name: "limit",
    in: "query",
    description: "How many of the folder's entries to give.",
    schema: { type: "integer", minimum: 0, maximum: 10_000, default: 1_000 },
  },
  ...sortParameters,
];

/** The headers of a file out of an archive; rows have none of them. */
const ofFileOrRows: Record<string, Header | Reference> = {
  "Content-Disposition": {
    description: "Of a file: `attachment` or `inline`, with the name.",
    schema: { type: "string", pattern: "^(attachment|inline); filename=" },
  },
  "Cache-Control": {
    description: "For a file: browsers may cache it, but must revalidate.",
    schema: { type: "string", pattern: "^(private|no-store)" },
  },
  "Accept-Ranges": {
    description: "Of a file, of which there are no ranges.",
    schema: { type: "string", const: "none" },
  },
  "Content-Security-Policy": {
    description: "Of a file, in which nothing runs.",
    schema: { type: "string" },
  },
  "Content-Length": headerNamed("Length"),
  "ETag": headerNamed("FileTag"),
};

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
      ...browsing,
      parameterNamed("Inline"),
      parameterNamed("Prefer"),
      ...conditions,
    ],
    answers: {
      200: {
        ...bytes("The rows of a folder, or the file.", ["*/*"], ofFileOrRows),
        content: { "application/json": { schema: schemaNamed("ArchiveFolder") }, "*/*": {} },
      },
      202: json("The archive is still being read.", schemaNamed("ArchiveReading"), {
        "Preference-Applied": headerNamed("PreferenceApplied"),
      }),
      304: nothing("Not modified.", ofBytes),
    },
    refusals: [
      ...["invalid_path", "invalid_option", "not_a_file", "not_found", "is_folder"] as const,
      ...["broken_archive", "unsafe_archive", "encrypted_archive"] as const,
      ...["archive_too_large", "not_supported", "precondition_failed", "busy"] as const,
    ],
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
      if (entry === null) return await archiveFolderAnswer(ctx, access, path);
      return await archivedFileAnswer(ctx, access, path, entry);
    },
  },
});
