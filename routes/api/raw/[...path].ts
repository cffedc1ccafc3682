import type { RouteConfig } from "fresh";
import { calls } from "../../../lib/server/http/calls.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { recordDownload } from "../../../lib/server/http/request/activities.ts";
import { pathRoute, requestPath } from "../../../lib/server/http/request/request_path.ts";
import { chosenAnswer, downloadAnswer } from "../../../lib/server/http/response/download_answer.ts";
import { bytes, headerNamed } from "../../../lib/server/http/openapi/answers.ts";
import { parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";
import {
  archiveParameters,
  archiveTypes,
  downloadAnswers,
  downloadParameters,
  ofBytes,
  unreadable,
} from "../../../lib/server/http/openapi/parts/files.ts";
import { MediaType, type RequestBody } from "../../../lib/server/http/openapi/types.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/raw/*?") };

const chosenEntries = {
  schema: {
    type: "object",
    required: ["files"],
    properties: {
      files: {
        type: "string",
        description: "Names in the folder, with commas between them, each percent-encoded once " +
          "more than the form itself. May repeat.",
      },
    },
  },
} as const satisfies MediaType;

/** The selected entries of a folder, in a form. */
const chosenForm: RequestBody = {
  description: "Up to 4 MiB in up to 10,000 fields, to arrive within a minute.",
  required: true,
  content: {
    "application/x-www-form-urlencoded": chosenEntries,
    "multipart/form-data": chosenEntries,
  },
};

/**
 * Downloads one file, or a folder or chosen entries as an archive; by a form where the choice is
 * too long for an address.
 */
export const handler = calls({
  GET: {
    id: "download",
    tag: "Content",
    summary: "Download a file, or a folder as an archive",
    description:
      "A file is sent as an attachment, or with `inline=true` to be shown. Either way it is " +
      "sandboxed, so an uploaded page or drawing runs no script. Ranges, one or several, " +
      "`If-Range` and the other conditions work as in RFC 9110.\n\n" +
      "A folder, or the entries of it that `files` names, is sent as an archive. It contains " +
      "what you may reach; links are not followed. A zip is stored, so its length is known " +
      "and a broken download can resume (`Range`, `ETag`); `compress=true` compresses it " +
      "instead. `direct=true` sends a single file that `files` names as it is. A file that " +
      "vanishes or changes while it is read breaks the connection: an archive that ends is " +
      "complete. Pipes, sockets and devices are left out, and `left-out.txt` in the archive " +
      "names them; one chosen alone is 403 `not_a_file`. In names, a byte that is not UTF-8 " +
      "becomes U+FFFD; equal names get `_` at their end.\n\n" +
      "Needs the permission to download.",
    token: "read",
    ticket: true,
    parameters: [parameterNamed("Path"), ...downloadParameters],
    answers: downloadAnswers,
    refusals: [
      ...unreadable,
      "invalid_option",
      "not_supported",
      "precondition_failed",
      "range_not_satisfiable",
      "busy",
    ],
    examples: `
$ curl -i "$CUBBY/api/raw/photos/sky%2C%20blue.jpg" -H "X-Auth: $TOKEN"
HTTP/1.1 200 OK
accept-ranges: bytes
cache-control: private, no-cache
content-disposition: attachment; filename="sky, blue.jpg"; filename*=UTF-8''sky%2C%20blue.jpg
content-security-policy: sandbox; …
content-type: image/jpeg
etag: "5y2hd-b-mwqamnv2"
last-modified: Sat, 21 Nov 2026 10:56:58 GMT
content-length: 11

nor is this

$ curl -i -r 0-3 $CUBBY/api/raw/notes.txt -H "X-Auth: $TOKEN"
HTTP/1.1 206 Partial Content
content-range: bytes 0-3/9
content-type: text/plain; charset=utf-8
etag: "5y2ip-9-mwqamnv2"
content-length: 4

Buy 

$ curl -i -r 100- $CUBBY/api/raw/notes.txt -H "X-Auth: $TOKEN"
HTTP/1.1 416 Range Not Satisfiable
content-range: bytes */9
content-type: text/plain; charset=utf-8

Cannot send the range: the file has 9 bytes

$ curl -I $CUBBY/api/raw/photos/ -H "X-Auth: $TOKEN"
HTTP/1.1 200 OK
accept-ranges: bytes
content-disposition: attachment; filename="photos.zip"; filename*=UTF-8''photos.zip
content-type: application/zip
etag: "zip-26695db298beeb243b9cb899657db652"
content-length: 281

$ curl -D - -o some.tar.gz "$CUBBY/api/raw/?files=notes.txt,photos%252Fsea.jpg&algo=tar.gz" -H "X-Auth: $TOKEN"
HTTP/1.1 200 OK
accept-ranges: none
content-disposition: attachment; filename="Cubby.tar.gz"; filename*=UTF-8''Cubby.tar.gz
content-type: application/gzip
`,
    async handle(ctx) {
      const { path } = requestPath(ctx, "raw");
      const access = accessFor(ctx);
      const answer = await downloadAnswer(ctx, access, path, signedInOf(ctx).settings);
      if (answer.ok) recordDownload(ctx, access, path);
      return answer;
    },
  },

  POST: {
    id: "downloadChosen",
    tag: "Content",
    summary: "Download selected entries of a folder",
    description:
      "The same archive as `GET /api/raw/{path}`, for a selection that is too long for an " +
      "address: `files` comes in a form. A page can send one with a ticket for the folder; " +
      "the cookie is not accepted.",
    token: "read",
    ticket: true,
    parameters: [parameterNamed("Path"), ...archiveParameters],
    body: chosenForm,
    answers: {
      200: bytes("The archive.", archiveTypes, {
        ...ofBytes,
        "Content-Length": headerNamed("Length"),
      }),
    },
    refusals: [
      ...unreadable,
      "invalid_option",
      "not_supported",
      "invalid_body",
      "body_too_large",
      "busy",
    ],
    examples: `
$ curl -D - -o some.zip $CUBBY/api/raw/photos/ -H "X-Auth: $TOKEN" --data-urlencode 'files=sea.jpg,sky%2C%20blue.jpg'
HTTP/1.1 200 OK
content-disposition: attachment; filename="Cubby.zip"; filename*=UTF-8''Cubby.zip
content-type: application/zip
`,
    async handle(ctx) {
      const { path } = requestPath(ctx, "raw");
      const access = accessFor(ctx);
      const answer = await chosenAnswer(ctx, access, path, signedInOf(ctx).settings);
      recordDownload(ctx, access, path);
      return answer;
    },
  },
});
