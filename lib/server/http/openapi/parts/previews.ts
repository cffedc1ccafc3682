import { thumbSides } from "../../../../shared/api_types.ts";
import { bytes, nothing } from "../answers.ts";
import { headerNamed } from "../headers.ts";
import { conditions } from "../parameters.ts";
import type { Answer, Header, Parameter, Reference } from "../types.ts";

/** The headers of a response with a preview, or with the picture itself. */
export const ofPreview: Record<string, Header | Reference> = {
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
  description: "`thumb` is a square of 256 pixels, `big` within 1080 pixels.",
  schema: { type: "string", enum: ["thumb", "big"] },
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

/** The responses with a preview. */
export const previewAnswers: Record<number, Answer> = {
  200: bytes("The preview.", ["image/webp", "image/jpeg"], ofPreview),
  204: nothing("There is no preview, and `optional` is set."),
  304: nothing("Not modified.", ofPreview),
};
