import { thumbSides } from "../../../shared/api_types.ts";
import { bytes, nothing } from "../answers.ts";
import { call } from "../call.ts";
import { headerNamed } from "../headers.ts";
import { conditions, parameterNamed } from "../parameters.ts";
import type { Header, PathItem, Reference } from "../types.ts";

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

/** The call for scaled-down pictures. */
export const previewCalls: Record<string, PathItem> = {
  "/api/preview/{size}/{path}": {
    get: call({
      id: "preview",
      tag: "Content",
      summary: "Show a picture smaller than it is",
      description:
        "Turned the right way up, in WebP for who accepts `image/webp` by name, in JPEG " +
        "for others. Where previews are switched off, the picture itself is sent. What is no " +
        "picture, is broken or has over 100 megapixels is 501, and so is SVG: browsers show the " +
        "file itself.\n\nNeeds the permission to download.",
      proof: "cookie",
      parameters: [
        {
          name: "size",
          in: "path",
          required: true,
          description: "`thumb` is a square of 256 pixels, `big` within 1080 pixels.",
          schema: { type: "string", enum: ["thumb", "big"] },
        },
        parameterNamed("Path"),
        {
          name: "side",
          in: "query",
          description:
            "The side of a thumbnail in pixels, for who shows it larger than 256; such " +
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
        ...conditions,
      ],
      answers: {
        200: bytes("The preview.", ["image/webp", "image/jpeg"], ofPreview),
        304: nothing("It is the one that the client has.", ofPreview),
      },
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
};
