import type { Call } from "../../../../lib/server/http/calls.ts";
import { createOwn } from "../../../../lib/server/http/request/own_changes.ts";
import { textAnswer } from "../../../../lib/server/http/response/answers.ts";
import { headerNamed, schemaNamed, text } from "../../../../lib/server/http/openapi/answers.ts";
import { parameterNamed } from "../../../../lib/server/http/openapi/parameters.ts";
import { badContents, fileBody } from "../../../../lib/server/http/openapi/parts/files.ts";

/** Creates a folder, or uploads a file. */
export const createEntry: Call = {
  id: "create",
  tag: "Resources",
  summary: "Create a folder, or upload a file",
  description:
    "A path with a slash at the end creates the folder and its missing parents; a folder " +
    "that exists is fine. Any other path writes the body into a file, of any type and size. " +
    "An upload goes to a hidden temporary file and takes its name in one step when it is " +
    "complete: one that fails or breaks off leaves a former file as it was.\n\n" +
    "More than 256 missing parents are 400, as in every call that creates them. A folder at " +
    "the path of a file is 409 `is_folder`.\n\n" +
    "Needs the permission to create, and to modify where `override` replaces a file.",
  token: "write",
  parameters: [
    parameterNamed("Path"),
    parameterNamed("Override"),
    parameterNamed("UploadJob"),
    parameterNamed("IfMatch"),
  ],
  body: fileBody,
  answers: {
    200: text("The folder exists, or the file was written completely.", schemaNamed("Done"), {
      ETag: headerNamed("FileTag"),
    }),
  },
  refusals: ["exists", ...badContents],
  examples: `
$ curl -i -X POST $CUBBY/api/resources/lists/2026/ -H "X-Auth: $TOKEN"
HTTP/1.1 200 OK
content-type: text/plain; charset=utf-8

OK

$ echo 'Mend the roof' > list.txt
$ curl -i --data-binary @list.txt $CUBBY/api/resources/lists/home.txt -H "X-Auth: $TOKEN"
HTTP/1.1 200 OK
content-type: text/plain; charset=utf-8
etag: "5y32s-e-mwqamsca"

OK

$ curl -i --data-binary @list.txt $CUBBY/api/resources/lists/home.txt -H "X-Auth: $TOKEN"
HTTP/1.1 409 Conflict
content-type: text/plain; charset=utf-8

Cannot write "/lists/home.txt": the name is taken

$ curl --data-binary @list.txt "$CUBBY/api/resources/lists/home.txt?override=true" -H "X-Auth: $TOKEN"
OK
`,
  async handle(ctx) {
    const etag = await createOwn(ctx);
    return textAnswer("OK\n", etag === null ? {} : { headers: { etag } });
  },
};
