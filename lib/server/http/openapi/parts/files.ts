import type { ErrorCode } from "../../../../shared/errors.ts";
import { readFormat } from "../../../features/archive/format.ts";
import { binary, bytes, headerNamed, json, nothing, schemaNamed, text } from "../answers.ts";
import {
  conditions,
  filterParameter,
  groupParameter,
  parameterNamed,
  sortParameters,
} from "../parameters.ts";
import type { Answer, Header, Parameter, Reference, RequestBody } from "../types.ts";
import { thumbSides } from "../../../../shared/schemas/choices/choices.ts";
import { streamPictures } from "../../../../shared/schemas/stream.ts";

/** The kinds of archives that a download may be. */
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

/** Errors of writing to the disk. */
export const badWrites: ErrorCode[] = ["read_only", "disk_full", "over_quota", "hook_failed"];

/** Errors of writing content into a file. */
export const badContents: ErrorCode[] = [
  "invalid_path",
  "invalid_name",
  "invalid_option",
  "invalid_body",
  "not_a_file",
  "is_folder",
  "precondition_failed",
  ...badWrites,
];

/** The body of a request that brings a whole file. */
export const fileBody: RequestBody = {
  description: "The bytes of the file, of any type.",
  content: { "application/octet-stream": binary },
};

/** The response to a request that has written a whole file. */
export const fileWritten: Answer = text("The file was written completely.", schemaNamed("Done"), {
  ETag: headerNamed("ETag"),
});

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
  {
    name: "level",
    in: "query",
    description: "How far a `tar.gz` and a compressed zip are compressed: 1 is the fastest, 9 " +
      "makes the smallest archive. Other archives ignore it.",
    schema: { type: "integer", minimum: 1, maximum: 9, default: 1 },
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

/** The headers of a response with a preview, or with the picture itself. */
const ofPreview: Record<string, Header | Reference> = {
  "ETag": headerNamed("ETag"),
  "Last-Modified": headerNamed("LastModified"),
  "Cache-Control": headerNamed("Private"),
  "Content-Disposition": headerNamed("Disposition"),
  "Content-Security-Policy": headerNamed("Sandbox"),
  "Vary": {
    description: "The format depends on `Accept`.",
    schema: { type: "string", const: "Accept" },
  },
};

/** Which preview an address asks for. */
export const sizeParameter: Parameter = {
  name: "size",
  in: "path",
  required: true,
  description: "`thumb` is a square of 256 pixels, `big` within 1080 pixels; `pdf` is an Office " +
    "document as PDF.",
  schema: { type: "string", enum: ["thumb", "big", "pdf"] },
};

/** The query and header parameters of a preview. */
export const previewParameters: (Parameter | Reference)[] = [
  {
    name: "side",
    in: "query",
    description:
      "The side of a thumbnail in pixels. A thumbnail over 256 is never larger than the " +
      "picture's shorter side.",
    schema: { type: "integer", enum: [...thumbSides] },
  },
  {
    name: "whole",
    in: "query",
    description:
      "`true` returns the whole picture in place of a square as thumbnail: `side` pixels high, " +
      "less where it is over three times as wide.",
    schema: { type: "boolean" },
  },
  {
    name: "k",
    in: "query",
    description:
      "A key that the client changes with the file, such as its modification time: with " +
      "it, browsers may cache the preview forever.",
    schema: { type: "string" },
  },
  {
    name: "optional",
    in: "query",
    description: "`true` answers 204 in place of 501 where there is no preview.",
    schema: { type: "boolean" },
  },
  ...conditions,
];

/** The responses with a preview. @param more media types, besides those of images */
export function previewAnswers(...more: string[]): Record<number, Answer> {
  return {
    200: bytes("The preview.", ["image/webp", "image/jpeg", ...more], ofPreview),
    204: nothing("There is no preview, and `optional` is set.", {
      "Preview-Refusal": {
        description:
          "Why an Office document has no PDF: `damaged` if it is damaged, protected by " +
          "a password, or without enough memory; `limits` if the conversion was stopped.",
        schema: { type: "string", enum: ["damaged", "limits"] },
      },
    }),
    304: nothing("Not modified.", ofPreview),
  };
}

/** Which part of a stream an address asks for. */
export const partParameter: Parameter = {
  name: "part",
  in: "path",
  required: true,
  description: "`info` is the list of tracks, `hls` a playlist or a segment, `subtitle` WebVTT, " +
    "`picture` a small picture of a place.",
  schema: { type: "string", enum: ["info", "hls", "subtitle", "picture"] },
};

/** The query parameters of a stream. */
export const streamParameters: Parameter[] = [
  {
    name: "video",
    in: "query",
    description:
      "Of `hls`: the pictures as they are, as H.264 of at most so many lines, or none. " +
      "Of `info`: tells the place in the queue.",
    schema: { type: "string", enum: [...streamPictures], default: "480" },
  },
  {
    name: "audio",
    in: "query",
    description: "Of `hls`: the place of the sound in `audio` of `info`.",
    schema: { type: "integer", minimum: 0, default: 0 },
  },
  {
    name: "segment",
    in: "query",
    description:
      "Of `hls`: `init` or the number of a segment, as the playlist has it; without it " +
      "the answer is the playlist.",
    schema: { type: "string" },
  },
  {
    name: "at",
    in: "query",
    description:
      "Of `hls`: where the player begins, in whole seconds; the playlist hands it on. Of " +
      "`picture`: the place.",
    schema: { type: "integer", minimum: 0, default: 0 },
  },
  {
    name: "size",
    in: "query",
    description:
      "Of segments: the size of the file when the playlist was made, which has it in its " +
      "addresses. A file that grows meanwhile, such as a recording, is played on.",
    schema: { type: "integer", minimum: 0 },
  },
  {
    name: "starts",
    in: "query",
    description: "Of `info`: adds `quickStarts`.",
    schema: { type: "boolean", default: false },
  },
  {
    name: "subtitle",
    in: "query",
    description: "Of `subtitle`: the place of the track in `subtitles` of `info`.",
    schema: { type: "integer", minimum: 0, default: 0 },
  },
];

const ofStream: Record<string, Header | Reference> = {
  "Cache-Control": headerNamed("Private"),
  "Content-Security-Policy": headerNamed("Sandbox"),
};

/** The responses with a part of a stream. */
export const streamAnswers: Record<number, Answer> = {
  200: {
    ...bytes("The part.", [], ofStream),
    content: {
      "application/json": { schema: schemaNamed("StreamInfo") },
      "application/vnd.apple.mpegurl": {},
      ...{ "video/mp4": {}, "audio/mp4": {}, "text/vtt": {}, "image/jpeg": {} },
    },
  },
};

/** Errors of streams. */
export const unstreamed: ErrorCode[] = [
  ...["invalid_path", "not_a_file", "not_found", "is_folder"] as const,
  ...["invalid_option", "not_supported", "throttled", "busy"] as const,
];

/** The headers of an unfinished upload. */
export const uploadState = {
  "Upload-Offset": headerNamed("UploadOffset"),
  "Upload-Length": headerNamed("UploadLength"),
  "Upload-Expires": headerNamed("UploadExpires"),
};

/** The body of a request that brings bytes of an upload. */
export const uploadPart: RequestBody = {
  description: "The next bytes of the file.",
  content: { "application/offset+octet-stream": binary },
};

/** Why an added file that has all its bytes cannot get its name. */
export const badNaming = ["disk_full", "over_quota", "hook_failed", "locked"] as const;

export const jobParameter: Parameter = {
  name: "id",
  in: "path",
  required: true,
  description: "As the job has it, and `Location` of the answer 202.",
  schema: { type: "string" },
  example: "0b6f5f0e-6d2c-4c35-9d0a-3c1f2f6f7b11",
};

/** A job that outlasts the patience of its client. */
export const goesOn: Answer = json("The job continues.", schemaNamed("Job"), {
  "Location": headerNamed("JobPlace"),
  "Preference-Applied": headerNamed("PreferenceApplied"),
});

/** The parameters by which an archive is browsed. */
export const browseParameters: (Parameter | Reference)[] = [
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
  parameterNamed("Inline"),
  parameterNamed("Prefer"),
  ...conditions,
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

/** The answers to a look into an archive. */
export const browseAnswers: Record<number, Answer> = {
  200: {
    ...bytes("The rows of a folder, or the file.", ["*/*"], ofFileOrRows),
    content: { "application/json": { schema: schemaNamed("ArchiveFolder") }, "*/*": {} },
  },
  202: json("The archive is still being read.", schemaNamed("ArchiveReading"), {
    "Preference-Applied": headerNamed("PreferenceApplied"),
  }),
  304: nothing("Not modified.", ofBytes),
};

/** Errors of looking into an archive. */
export const unbrowsable: ErrorCode[] = [
  ...["invalid_option", "not_found", "is_folder"] as const,
  ...["broken_archive", "unsafe_archive", "encrypted_archive"] as const,
  ...["archive_too_large", "not_supported", "precondition_failed", "busy"] as const,
];

/** The headers of subtitles. */
const ofSubtitles: Record<string, Header | Reference> = {
  "ETag": headerNamed("FileTag"),
  "Last-Modified": headerNamed("LastModified"),
  "Cache-Control": headerNamed("Private"),
  "Content-Security-Policy": headerNamed("Sandbox"),
};

/** The answers to a call for subtitles. */
export const subtitleAnswers: Record<number, Answer> = {
  200: bytes("The subtitles.", ["text/vtt"], ofSubtitles),
  304: nothing("Not modified.", ofSubtitles),
};

/** The parameters of the ratios of a folder's pictures. */
export const ratioParameters: (Parameter | Reference)[] = [
  ...sortParameters,
  groupParameter,
  filterParameter,
  {
    name: "read",
    in: "query",
    description: "`true` reads files of which nothing is known yet.",
    schema: { type: "boolean", default: false },
  },
];
