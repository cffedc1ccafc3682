import { calls } from "../../../../../../lib/server/http/calls.ts";
import { visitByToken } from "../../../../../../lib/server/http/request/file_requests.ts";
import {
  appendReceived,
  visitorHeaders,
} from "../../../../../../lib/server/http/request/uploads/request_uploads.ts";
import {
  addFirst,
  bringsBytes,
  byTus,
  metadataText,
  metadataTime,
  partBody,
  uploadLength,
} from "../../../../../../lib/server/http/request/uploads/tus.ts";
import { nothing } from "../../../../../../lib/server/http/openapi/answers.ts";
import {
  headerParameter,
  requestParameter,
  requestToken,
} from "../../../../../../lib/server/http/openapi/parts/links.ts";
import {
  badNaming,
  uploadPart,
  uploadState,
} from "../../../../../../lib/server/http/openapi/parts/files.ts";
import type { Header } from "../../../../../../lib/server/http/openapi/types.ts";

const uploadPlace: Header = {
  description: "The address of the upload.",
  required: true,
  schema: { type: "string", pattern: "/api/public/request/" },
};

/** Begins the upload of a visitor, by the tus protocol. */
export const handler = byTus(calls({
  POST: {
    id: "beginReceived",
    tag: "Shares",
    summary: "Create an upload for a request",
    description:
      "By the tus protocol, as `POST /api/tus/{path}`, in parts or at once. `Upload-Metadata` " +
      "has the `filename`, with the folders that it is in, the `sender` and `lastModified`. A " +
      "sender's files go into a folder such as `Anna - 2026-11-25` (the day in UTC). Names " +
      "are made safe for every system, and a name that is taken gets a number: nothing is " +
      "overwritten, and the visitor does not learn the name. An upload that gets no byte " +
      "within a minute is discarded.\n\n" +
      "403 also if the request has all its files; 413 if the file is too large; 415 if its " +
      "kind is not accepted.",
    who: "anyone",
    parameters: [
      requestParameter,
      requestToken,
      headerParameter("Upload-Length", "The bytes of the whole file."),
      headerParameter(
        "Upload-Metadata",
        "`filename` with its folders, `sender` and `lastModified`, each in base64.",
      ),
    ],
    body: uploadPart,
    answers: {
      201: nothing("The upload was created.", { Location: uploadPlace, ...uploadState }),
    },
    refusals: [
      "invalid_option",
      "password_required",
      "not_found",
      "precondition_failed",
      "body_too_large",
      "wrong_content_type",
      "busy",
      "forbidden",
      ...badNaming,
    ],
    examples: `
$ echo 'The sea' > sea.txt
$ curl -i $CUBBY/api/public/request/$REQUEST/files -H "X-Request-Token: $PASS" -H 'Upload-Length: 8' -H 'Upload-Metadata: filename c2VhLnR4dA==' -H 'Content-Type: application/offset+octet-stream' --data-binary @sea.txt
HTTP/1.1 201 Created
location: /api/public/request/…/files/…
upload-offset: 8
`,
    async handle(ctx) {
      const visit = await visitByToken(ctx);
      const file = {
        name: metadataText(ctx.req, "filename"),
        sender: metadataText(ctx.req, "sender"),
        length: uploadLength(ctx.req),
        lastModified: metadataTime(ctx.req),
      };
      const first = bringsBytes(ctx.req) ? partBody(ctx.req, 0) : { body: null, offset: 0 };
      const { received } = ctx.state.cubby;
      const { id, state } = await received.begin(visit, file, ctx.state.address);
      const isMore = first.body !== null || file.length === 0;
      const append = () => appendReceived(ctx, visit, id, first);
      const now = isMore ? await addFirst(append, () => received.drop(visit, id)) : state;
      const location = `${ctx.url.pathname.replace(/\/$/, "")}/${id}`;
      return new Response(null, { status: 201, headers: { location, ...visitorHeaders(now) } });
    },
  },
}));
