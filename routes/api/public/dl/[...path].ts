import type { RouteConfig } from "fresh";
import { calls } from "../../../../lib/server/http/calls.ts";
import { pathRoute } from "../../../../lib/server/http/request/request_path.ts";
import { visitByCall } from "../../../../lib/server/http/request/share_requests.ts";
import { sharedDownload } from "../../../../lib/server/http/response/shared_download.ts";
import {
  downloadAnswers,
  downloadParameters,
} from "../../../../lib/server/http/openapi/parts/files.ts";
import {
  badVisit,
  sharedPath,
  shareProofs,
} from "../../../../lib/server/http/openapi/parts/links.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/public/dl/*?") };

/** Downloads shared entries, for visitors with the link and the password. */
export const handler = calls({
  GET: {
    id: "downloadShared",
    tag: "Shares",
    summary: "Download a shared file or folder",
    description: "As `GET /api/raw/{path}`. For a shared file, whatever path follows the hash " +
      "is the file: File Browser's links end with its name or its whole path.",
    who: "anyone",
    parameters: [sharedPath, ...shareProofs, ...downloadParameters],
    answers: downloadAnswers,
    refusals: [
      ...badVisit,
      "not_a_file",
      "not_supported",
      "precondition_failed",
      "range_not_satisfiable",
    ],
    examples: `
$ HASH=$(curl -s $CUBBY/api/share/photos -H "X-Auth: $TOKEN" --json '{"password": "open sesame"}' | jq -r .hash)
$ ENTRY=$(curl -s $CUBBY/api/public/share/$HASH -H "X-SHARE-PASSWORD: open%20sesame" | jq -r .token)
$ curl -i "$CUBBY/api/public/dl/$HASH/sea.jpg?token=$ENTRY"
HTTP/1.1 200 OK
content-type: image/jpeg
content-disposition: attachment; filename="sea.jpg"; filename*=UTF-8''sea.jpg

not really a picture
`,
    async handle(ctx) {
      return await sharedDownload(ctx, await visitByCall(ctx, "public/dl"));
    },
  },
});
