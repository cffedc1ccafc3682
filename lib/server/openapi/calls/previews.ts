import { thumbSides } from "../../../shared/api_types.ts";
import { mostHashedPaths } from "../../../shared/schemas/choices/choices.ts";
import { bytes, json, nothing } from "../answers.ts";
import { call } from "../call.ts";
import { headerNamed } from "../headers.ts";
import { badJson, jsonBody } from "../json_body.ts";
import { conditions, parameterNamed } from "../parameters.ts";
import { schemaNamed } from "../schemas.ts";
import type { Answer, Header, Parameter, PathItem, Reference } from "../types.ts";

/** The headers of a response with a preview, or with the picture itself. */
const ofPreview: Record<string, Header | Reference> = {
  "ETag": headerNamed("ETag"),
  "Last-Modified": headerNamed("LastModified"),
  "Cache-Control": headerNamed("Private"),
  "Content-Disposition": headerNamed("Disposition"),
  "Content-Security-Policy": headerNamed("Sandbox"),
  "Vary": {
    description: "The format depends on what is accepted.",
    schema: { type: "string", const: "Accept" },
  },
};

/** Which preview an address asks for. */
export const sizeParameter: Parameter = {
  name: "size",
  in: "path",
  required: true,
  description: "`thumb` is a square of 256 pixels, `big` within 1080 pixels.",
  schema: { type: "string", enum: ["thumb", "big"] },
};

/** The query and header parameters of a preview. */
export const previewParameters: (Parameter | Reference)[] = [
  {
    name: "side",
    in: "query",
    description: "The side of a thumbnail in pixels, for who shows it larger than 256; such " +
      "a one is no larger than the picture's shorter side.",
    schema: { type: "integer", enum: [...thumbSides] },
  },
  {
    name: "k",
    in: "query",
    description: "A key that the client changes with the file, such as the time it was " +
      "modified: with it, the browser may keep the preview for good.",
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

/** The responses with a preview. */
export const previewAnswers: Record<number, Answer> = {
  200: bytes("The preview.", ["image/webp", "image/jpeg"], ofPreview),
  204: nothing("There is none, and `optional` allows that."),
  304: nothing("It is the one that the client has.", ofPreview),
};

/** The calls for scaled-down pictures, and about what files show. */
export const previewCalls: Record<string, PathItem> = {
  "/api/preview/{size}/{path}": {
    get: call({
      id: "preview",
      tag: "Content",
      summary: "Show a picture smaller than it is",
      description:
        "Turned the right way up, in WebP for who accepts `image/webp` by name, in JPEG " +
        "for others. A RAW file has the picture in it, music its cover, a folder its first " +
        "pictures (as `thumb` alone) and, where the server has the programs, a video a picture " +
        "and a PDF its first page. Where previews are switched off, the picture itself is sent. " +
        "What has none, is broken or has over 100 megapixels is 501, and so is SVG: browsers show " +
        "the file itself.\n\nNeeds the permission to download.",
      auth: "cookie",
      parameters: [sizeParameter, parameterNamed("Path"), ...previewParameters],
      answers: previewAnswers,
      refusals: [
        "invalid_option",
        "invalid_path",
        "not_a_file",
        "not_found",
        "precondition_failed",
        "throttled",
        "not_supported",
        "busy",
      ],
    }),
  },

  "/api/media/{path}": {
    get: call({
      id: "mediaInfo",
      tag: "Content",
      summary: "Tell what a picture, a video, music or a PDF tells of itself",
      description:
        "Dimensions, length, pages, EXIF data and tags, as far as the file has them and " +
        "the server has the programs that read them. Any other type is 501.\n\nNeeds the " +
        "permission to download.",
      auth: "cookie",
      parameters: [parameterNamed("Path")],
      answers: { 200: json("Empty when the file tells nothing.", schemaNamed("MediaInfo")) },
      refusals: ["invalid_path", "is_folder", "not_a_file", "not_found", "not_supported"],
    }),
  },

  "/api/thumbhashes": {
    post: call({
      id: "thumbHashes",
      tag: "Content",
      summary: "Get blurred placeholders of thumbnails",
      description: "Of the thumbnails that the server has made already: none is made for this. " +
        "What has none, or may not be downloaded, is left out.",
      auth: "token",
      body: jsonBody({
        paths: {
          type: "array",
          items: { type: "string" },
          description: `Up to ${mostHashedPaths} paths of files, decoded.`,
        },
      }, ["paths"]),
      answers: { 200: json("By the paths as they were sent.", schemaNamed("ThumbHashes")) },
      refusals: [...badJson, "invalid_path"],
    }),
  },
};
