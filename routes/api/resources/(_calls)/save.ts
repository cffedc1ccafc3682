import type { Call } from "../../../../lib/server/http/calls.ts";
import { saveOwn } from "../../../../lib/server/http/request/own_changes.ts";
import { textAnswer } from "../../../../lib/server/http/response/answers.ts";
import { parameterNamed } from "../../../../lib/server/http/openapi/parameters.ts";
import {
  badContents,
  fileBody,
  fileWritten,
} from "../../../../lib/server/http/openapi/parts/files.ts";

/** Replaces the content of a file. */
export const saveFile: Call = {
  id: "save",
  tag: "Resources",
  summary: "Replace the content of a file",
  description: "Writes as safely as an upload. With `encoding`, the body is text in UTF-8 and is " +
    "stored in that encoding; a character that the encoding does not have is refused. A " +
    "path with a slash at the end is 400.\n\n" +
    "Needs the permission to modify.",
  token: "write",
  parameters: [
    parameterNamed("Path"),
    parameterNamed("UploadJob"),
    parameterNamed("IfMatch"),
    {
      name: "encoding",
      in: "query",
      description: "The encoding to store the body in, which then is text in UTF-8: a value of " +
        "`encoding` of the resource, with `-bom` for a byte order mark. By default the " +
        "body is stored as it is. A character that the encoding does not have is refused, " +
        "and the file stays as it was.",
      schema: { type: "string" },
      example: "windows-1252",
    },
  ],
  body: fileBody,
  answers: { 200: fileWritten },
  refusals: ["not_found", ...badContents],
  examples: `
$ curl -i -T list.txt $CUBBY/api/resources/lists/home.txt -H "X-Auth: $TOKEN"
HTTP/1.1 200 OK
content-type: text/plain; charset=utf-8
etag: "5y2fn-e-mwqamsdu"

OK

$ curl -T list.txt $CUBBY/api/resources/lists/none.txt -H "X-Auth: $TOKEN"
Cannot save "/lists/none.txt": it is not there
`,
  async handle(ctx) {
    const etag = await saveOwn(ctx);
    return textAnswer("OK\n", { headers: { etag } });
  },
};
