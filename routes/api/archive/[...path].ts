import type { RouteConfig } from "fresh";
import { calls } from "../../../lib/server/http/calls.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import {
  archivedFileAnswer,
  archiveFolderAnswer,
} from "../../../lib/server/http/response/browse_answers.ts";
import { bytes, json, nothing } from "../../../lib/server/openapi/answers.ts";
import { headerNamed } from "../../../lib/server/openapi/headers.ts";
import {
  conditions,
  parameterNamed,
  sortParameters,
} from "../../../lib/server/openapi/parameters.ts";
import { ofBytes } from "../../../lib/server/openapi/parts/content.ts";
import { schemaNamed } from "../../../lib/server/openapi/references.ts";
import type { Header, Parameter, Reference } from "../../../lib/server/openapi/types.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/archive{/*}?" };

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
    description: "Of a file, which a browser may keep, but asks for again.",
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
    summary: "Show an archive as a folder, or send a file out of it",
    description: "Of a zip, a tar (also compressed by gzip, bzip2, xz, zstd, lz4, snappy or " +
      "brotli), a 7z or a rar. The first call reads a compressed tar to its end: with `Prefer: " +
      "respond-async` the answer tells how far it is (202), and the call is to be repeated; a " +
      "reading that no call asks for any more is given up. A file is sent with the safety " +
      "headers of any file, without ranges; when the archive turns out to be damaged on the " +
      "way, the connection breaks. Links are named, but never followed.\n\nNeeds the " +
      "permission to download.",
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
      304: nothing("It is the file that the client has.", ofBytes),
    },
    refusals: [
      ...["invalid_path", "invalid_option", "not_a_file", "not_found", "is_folder"] as const,
      ...["broken_archive", "unsafe_archive", "encrypted_archive"] as const,
      ...["archive_too_large", "not_supported", "precondition_failed", "busy"] as const,
    ],
    async handle(ctx) {
      const { path } = requestPath(ctx, "archive");
      const access = accessFor(ctx);
      const entry = ctx.url.searchParams.get("entry");
      if (entry === null) return await archiveFolderAnswer(ctx, access, path);
      return await archivedFileAnswer(ctx, access, path, entry);
    },
  },
});
