import { schemaNamed, sizeRequest } from "../schemas.ts";
import { call } from "../call.ts";
import { badJson } from "../json_body.ts";
import { parameterNamed } from "../parameters.ts";
import type { Answer, PathItem } from "../types.ts";

const measured: Answer = {
  description: "The totals; in lines first those so far, the last line is the answer.",
  content: {
    "application/json": { schema: schemaNamed("FolderSize") },
    "application/x-ndjson": { schema: schemaNamed("FolderSize") },
  },
};

/** The calls that walk what is below a folder: searching and measuring. */
export const searchCalls: Record<string, PathItem> = {
  "/api/search/{path}": {
    get: call({
      id: "search",
      tag: "Resources",
      summary: "Find entries below a folder by their names, and files by what is in them",
      description:
        "Results are sent as they are found, nearer ones first, without a limit to their " +
        "number. Who accepts `application/x-ndjson` gets one object a line, to be read as they " +
        "come, and so does everybody at a server with `--api-compat 2.63`; all others one array. Links " +
        "to folders are found, but not what is in them. Of files found by their content, which " +
        "wants `download`, the best 500 come, behind those found by name.",
      auth: "cookie",
      parameters: [
        parameterNamed("Path"),
        {
          name: "query",
          in: "query",
          required: true,
          description: "Words that must all be in the name, in any order, whatever their case. " +
            "A phrase in quotes is one of them, spaces and all. `case:sensitive` minds the case. " +
            "`type:folder`, `document`, `image`, `audio` or `music`, `video`, `pdf`, `archive`, or an " +
            "extension such as `type:tar.gz` wants that kind; several are alternatives. `size:>10mb` " +
            "and `size:<1gb` (`b` to `tb`, of 1000) want a file at least or at most so large; " +
            "`modified:>2026-01-31` one changed on that day or later, `modified:<2026-01-31` before " +
            "it, in UTC, and `modified:30d` in the last 30 days (`h`, `d`, `w`, `y`). " +
            '`content:budget`, `content:inv*` and `content:"annual report"` want a file with that ' +
            "word, a word that begins so, that phrase in its text; names are not searched " +
            "then unless there are words for them, too. Up to 1000 characters.",
          schema: { type: "string", minLength: 1 },
          example: 'holiday "new york" type:image',
        },
        {
          name: "details",
          in: "query",
          description: "`true` adds `size` and `modified` to each result.",
          schema: { type: "boolean", default: false },
        },
        {
          name: "contents",
          in: "query",
          description: "`true` finds files with the words in their text, too; a word that ends " +
            "with `*` stands for all that begin so.",
          schema: { type: "boolean", default: false },
        },
      ],
      answers: {
        200: {
          description: "What was found.",
          content: {
            "application/json": {
              schema: { type: "array", items: schemaNamed("SearchResult") },
            },
            "application/x-ndjson": { schema: schemaNamed("SearchResult") },
          },
        },
      },
      refusals: [
        "invalid_path",
        "invalid_option",
        "forbidden",
        "not_found",
        "busy",
        "not_supported",
      ],
    }),
  },

  "/api/size/{path}": {
    get: call({
      id: "size",
      tag: "Resources",
      summary: "Add up everything below a folder",
      description:
        "What one may not see does not count. Links to folders are not entered; a link to a file " +
        "counts as the file. Who accepts `application/x-ndjson` gets the totals so far four times " +
        "a second, one object a line. Sizes are kept for a minute, so a file that grows in a " +
        "folder that nobody watches is noticed later. After five minutes the totals so far are " +
        "the answer.",
      auth: "cookie",
      parameters: [parameterNamed("Path")],
      answers: { 200: measured },
      refusals: ["invalid_path", "not_found", "busy"],
    }),
    post: call({
      id: "sizeOfSome",
      tag: "Resources",
      summary: "Add up some entries of a folder, with everything below them",
      auth: "token",
      parameters: [parameterNamed("Path")],
      body: {
        description: "Up to 4 MiB, to arrive within 60 seconds.",
        required: true,
        content: { "application/json": { schema: sizeRequest } },
      },
      answers: { 200: measured },
      refusals: [...badJson, "invalid_path", "not_found", "busy"],
    }),
  },
};
