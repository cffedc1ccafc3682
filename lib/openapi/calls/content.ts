import type { ErrorCode } from "../../errors.ts";
import { bytes, nothing } from "../answers.ts";
import { call } from "../call.ts";
import { headerNamed } from "../headers.ts";
import { conditions, parameterNamed } from "../parameters.ts";
import type { Header, PathItem, Reference } from "../types.ts";

const tag = "Content";

/** What every answer with a file's bytes says of it. */
const ofFile: Record<string, Header | Reference> = {
  "ETag": headerNamed("ETag"),
  "Last-Modified": headerNamed("LastModified"),
  "Cache-Control": headerNamed("Private"),
  "Content-Disposition": headerNamed("Disposition"),
  "Content-Security-Policy": headerNamed("Sandbox"),
  "Accept-Ranges": headerNamed("AcceptRanges"),
};
const ofBytes = { ...ofFile, "Content-Length": headerNamed("Length") };

const unreadable: ErrorCode[] = ["invalid_path", "not_a_file", "not_found"];

/** The calls that hand out what files hold. */
export const contentCalls: Record<string, PathItem> = {
  "/api/raw/{path}": {
    get: call({
      id: "download",
      tag,
      summary: "Download a file",
      description: "Needs the permission to download.",
      proof: "ticket",
      parameters: [
        parameterNamed("Path"),
        parameterNamed("Inline"),
        {
          name: "Range",
          in: "header",
          description:
            "One range of bytes or several (RFC 9110, 14.2); malformed ones are ignored.",
          schema: { type: "string" },
          example: "bytes=0-1023",
        },
        {
          name: "If-Range",
          in: "header",
          description: "Honours `Range` only for this very state of the file: a tag, or a date.",
          schema: { type: "string" },
        },
        ...conditions,
      ],
      answers: {
        200: bytes("The file.", ["*/*"], ofBytes),
        206: bytes("The asked ranges.", ["*/*", "multipart/byteranges"], {
          ...ofBytes,
          "Content-Range": headerNamed("Range"),
        }),
        304: nothing("The file is the one that the client has.", ofFile),
      },
      refusals: [...unreadable, "not_supported", "precondition_failed", "range_not_satisfiable"],
    }),
  },
};
