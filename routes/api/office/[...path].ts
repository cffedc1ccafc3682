import type { RouteConfig } from "fresh";
import { calls } from "../../../lib/server/http/calls.ts";
import { parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";
import {
  openedDocument,
  openingParameters,
} from "../../../lib/server/http/openapi/parts/office.ts";
import { pathRoute } from "../../../lib/server/http/request/request_path.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { openOwnDocument } from "../../../lib/server/http/wopi/open_document.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/office/*?") };

/** Documents in the editors of the office server. */
export const handler = calls({
  POST: {
    id: "openDocument",
    tag: "Content",
    summary: "Open a document in an editor of the office server",
    description:
      "Gives the address of the editor and a token, by which the office server reads and " +
      "saves this one file as you (WOPI), as long as your session lasts. You need the permission " +
      "to download, and to modify for editing.",
    parameters: [parameterNamed("Path"), ...openingParameters],
    answers: { 200: openedDocument },
    refusals: [
      ...["invalid_path", "invalid_option", "not_found", "is_folder", "not_a_file"] as const,
      ...["not_supported", "busy"] as const,
    ],
    examples: `
$ curl -X POST $CUBBY/api/office/notes.txt -H "X-Auth: $TOKEN"
Cannot open the document in an editor: no office server is set up (--office-url)
`,
    async handle(ctx) {
      return jsonAnswer(await openOwnDocument(ctx));
    },
  },
});
