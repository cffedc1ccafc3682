import * as v from "valibot";
import { about, flag, shape } from "./parts.ts";

/** Most files of one request. */
export const maxFilesAtOnce = 256;

/** The schema of the list of files that begins the body of an upload of many. */
export const sentFilesSchema = shape({
  files: v.pipe(
    v.array(
      shape({
        path: about("Below the folder of the request, not encoded.", v.string("a path")),
        size: about(
          "In bytes.",
          v.pipe(
            v.number("a number of bytes"),
            v.integer("a number of bytes"),
            v.minValue(0, "a number of bytes"),
          ),
        ),
        modified: v.optional(about(
          "When it was modified, in milliseconds since 1970; now by default.",
          v.number("a time in milliseconds"),
        )),
        sha256: v.optional(about(
          "The SHA-256 of its bytes in hexadecimal digits, to be verified.",
          v.pipe(v.string("a digest"), v.regex(/^[0-9a-fA-F]{64}$/, "64 hexadecimal digits")),
        )),
        override: v.optional(about("Replaces a file of that name.", flag), false),
        resent: v.optional(
          about(
            "An earlier request may have written it: a file that is there with the same bytes, and " +
              "the time `modified` if that is given, counts as written. Needs the permission to " +
              "download.",
            flag,
          ),
          false,
        ),
      }),
      "a list",
    ),
    v.maxLength(maxFilesAtOnce, `a list of at most ${maxFilesAtOnce} files`),
  ),
});

/** One of the files that a request brings. */
export type SentFile = v.InferOutput<typeof sentFilesSchema>["files"][number];

/** The schema of the answer to an upload of many files. */
export const receivedFilesSchema = about(
  "What became of each file of an upload of many.",
  v.object({
    files: about(
      "In the order of the request.",
      v.array(v.object({
        status: about(
          "200 for a file that was written completely; otherwise the status of the refusal.",
          v.pipe(v.number(), v.integer()),
        ),
        etag: v.optional(about("The tag of a file that was written.", v.string())),
        code: v.optional(about("The code of a refusal.", v.string())),
        message: v.optional(about("Its sentence.", v.string())),
      })),
    ),
  }),
);

/** What became of one file. */
export type ReceivedFile = v.InferOutput<typeof receivedFilesSchema>["files"][number];
