import type { ErrorCode } from "../../../../shared/errors.ts";
import { readFormat } from "../../../features/archive/format.ts";
import { bytes, nothing } from "../answers.ts";
import { headerNamed } from "../headers.ts";
import { conditions, parameterNamed } from "../parameters.ts";
import type { Answer, Header, Parameter, Reference } from "../types.ts";

/** The kinds of archives that a download may be. */
export const archiveKinds = [
  "zip",
  "tar",
  "tar.gz",
  "tar.bz2",
  "tar.xz",
  "tar.lz4",
  "tar.sz",
  "tar.zst",
  "tar.br",
];

/** Their media types. */
export const archiveTypes = archiveKinds.map((kind) => readFormat(kind).mediaType);

/** The headers of a response with content; an archive has fewer than a file. */
export const ofBytes: Record<string, Header | Reference> = {
  "ETag": headerNamed("FileTag"),
  "Last-Modified": headerNamed("LastModified"),
  "Cache-Control": headerNamed("Private"),
  "Content-Disposition": headerNamed("Disposition"),
  "Content-Security-Policy": headerNamed("Sandbox"),
  "Accept-Ranges": headerNamed("AcceptRanges"),
};

/** Errors of reading a file. */
export const unreadable: ErrorCode[] = ["invalid_path", "not_a_file", "not_found"];

/** The parameters of an archive. */
export const archiveParameters: Parameter[] = [
  {
    name: "algo",
    in: "query",
    description: "The kind of archive; `targz` counts as `tar.gz`, and so on.",
    schema: { type: "string", enum: archiveKinds, default: "zip" },
  },
  {
    name: "compress",
    in: "query",
    description: "`true` deflates what can be made smaller in a zip.",
    schema: { type: "boolean", default: false },
  },
];

/** The header parameters about ranges. */
export const rangeParameters: Parameter[] = [
  {
    name: "Range",
    in: "header",
    description: "One range of bytes or several (RFC 9110, 14.2); malformed ones are ignored. " +
      "Of archives, a stored zip has ranges, one at a time.",
    schema: { type: "string" },
    example: "bytes=0-1023",
  },
  {
    name: "If-Range",
    in: "header",
    description: "Honours `Range` only for this very state of the file: a tag, or a date.",
    schema: { type: "string" },
  },
];

/** The query and header parameters of a download. */
export const downloadParameters: (Parameter | Reference)[] = [
  parameterNamed("Inline"),
  {
    name: "files",
    in: "query",
    description: "Names in the folder, with commas between them, each percent-encoded once " +
      "more than the query itself, so that a comma can be part of a name. May repeat.",
    schema: { type: "string" },
    example: "sea.jpg,sky%252C%20blue.jpg",
  },
  {
    name: "direct",
    in: "query",
    description: "`true` sends a single file that `files` names as it is, and not as an archive.",
    schema: { type: "boolean", default: false },
  },
  ...archiveParameters,
  ...rangeParameters,
  ...conditions,
];

/** The responses to a download of a part of a file, and of one that has not changed. */
export const partAnswers: Record<number, Answer> = {
  206: bytes("The requested ranges.", ["*/*", "multipart/byteranges"], {
    ...ofBytes,
    "Content-Length": headerNamed("Length"),
    "Content-Range": headerNamed("Range"),
  }),
  304: nothing("Not modified.", ofBytes),
};

/** The responses to a download. */
export const downloadAnswers: Record<number, Answer> = {
  200: bytes("The file, or the archive.", ["*/*", ...archiveTypes], {
    ...ofBytes,
    "Content-Length": headerNamed("Length"),
  }),
  ...partAnswers,
};
