import { readFormat } from "../../archive/format.ts";
import type { ErrorCode } from "../../../shared/errors.ts";
import { bytes, nothing } from "../answers.ts";
import { call } from "../call.ts";
import { headerNamed } from "../headers.ts";
import { conditions, parameterNamed } from "../parameters.ts";
import type {
  Answer,
  Header,
  MediaType,
  Parameter,
  PathItem,
  Reference,
  RequestBody,
} from "../types.ts";

const tag = "Content";

const archiveKinds = [
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
const archiveTypes = archiveKinds.map((kind) => readFormat(kind).mediaType);

/** The headers of a response with content; an archive has fewer than a file. */
export const ofBytes: Record<string, Header | Reference> = {
  "ETag": headerNamed("FileTag"),
  "Last-Modified": headerNamed("LastModified"),
  "Cache-Control": headerNamed("Private"),
  "Content-Disposition": headerNamed("Disposition"),
  "Content-Security-Policy": headerNamed("Sandbox"),
  "Accept-Ranges": headerNamed("AcceptRanges"),
};

const ofSubtitles: Record<string, Header | Reference> = {
  "ETag": headerNamed("FileTag"),
  "Last-Modified": headerNamed("LastModified"),
  "Cache-Control": headerNamed("Private"),
  "Content-Security-Policy": headerNamed("Sandbox"),
};

const unreadable: ErrorCode[] = ["invalid_path", "not_a_file", "not_found"];

/** The parameters of an archive. */
const archiveParameters: Parameter[] = [
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

const chosen = {
  schema: {
    type: "object",
    required: ["files"],
    properties: {
      files: {
        type: "string",
        description: "Names in the folder, with commas between them, each percent-encoded once " +
          "more than the form itself. May repeat.",
      },
    },
  },
} as const satisfies MediaType;

/** The selected entries of a folder, in a form. */
const chosenForm: RequestBody = {
  description: "Up to 4 MiB in up to 10,000 fields, to arrive within a minute.",
  required: true,
  content: { "application/x-www-form-urlencoded": chosen, "multipart/form-data": chosen },
};

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
  206: bytes("The asked ranges.", ["*/*", "multipart/byteranges"], {
    ...ofBytes,
    "Content-Length": headerNamed("Length"),
    "Content-Range": headerNamed("Range"),
  }),
  304: nothing("It is the one that the client has.", ofBytes),
};

/** The responses to a download. */
export const downloadAnswers: Record<number, Answer> = {
  200: bytes("The file, or the archive.", ["*/*", ...archiveTypes], {
    ...ofBytes,
    "Content-Length": headerNamed("Length"),
  }),
  ...partAnswers,
};

/** The calls that return the content of files. */
export const contentCalls: Record<string, PathItem> = {
  "/api/raw/{path}": {
    get: call({
      id: "download",
      tag,
      summary: "Download a file, or a folder as an archive",
      description:
        "With `files`, or for a folder, an archive is sent as it is made, without what " +
        "the user may not reach and without what links lead to. A zip is stored, so that it has a " +
        "length and can be gone on with, unless `compress` asks for less. When a file vanishes or " +
        "changes while it is read, the connection breaks rather than ending as if all were there." +
        "\n\nNeeds the permission to download.",
      auth: "ticket",
      parameters: [parameterNamed("Path"), ...downloadParameters],
      answers: downloadAnswers,
      refusals: [
        ...unreadable,
        "invalid_option",
        "not_supported",
        "precondition_failed",
        "range_not_satisfiable",
        "busy",
      ],
    }),
    post: call({
      id: "downloadChosen",
      tag,
      summary: "Download much of a folder as an archive",
      description:
        "As with `GET`, for a selection that is too long for an address: `files` comes " +
        "in a form of at most 4 MiB, which a page can send with a ticket.\n\nNeeds the permission " +
        "to download.",
      auth: "form",
      parameters: [parameterNamed("Path"), ...archiveParameters],
      body: chosenForm,
      answers: {
        200: bytes("The archive.", archiveTypes, {
          ...ofBytes,
          "Content-Length": headerNamed("Length"),
        }),
      },
      refusals: [
        ...unreadable,
        "invalid_option",
        "not_supported",
        "invalid_body",
        "body_too_large",
        "busy",
      ],
    }),
  },

  "/api/subtitle/{path}": {
    get: call({
      id: "subtitle",
      tag,
      summary: "Get subtitles as WebVTT",
      description: "From WebVTT, SubRip, ASS or SSA of at most 10 MiB, in any encoding. Bold, " +
        "italics, underlining and the place are kept.\n\nNeeds the permission to download.",
      auth: "cookie",
      parameters: [parameterNamed("Path"), ...conditions],
      answers: {
        200: bytes("The subtitles.", ["text/vtt"], ofSubtitles),
        304: nothing("They are those that the client has.", ofSubtitles),
      },
      refusals: [...unreadable, "is_folder", "not_supported", "precondition_failed", "busy"],
    }),
  },
};
