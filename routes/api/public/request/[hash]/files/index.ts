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
import { nothing } from "../../../../../../lib/server/openapi/answers.ts";
import {
  headerParameter,
  requestParameter,
  requestToken,
} from "../../../../../../lib/server/openapi/parts/requests.ts";
import {
  badNaming,
  uploadPart,
  uploadState,
} from "../../../../../../lib/server/openapi/parts/uploads.ts";
import type { Header } from "../../../../../../lib/server/openapi/types.ts";

const uploadPlace: Header = {
  description: "Where to go on with the upload.",
  required: true,
  schema: { type: "string", pattern: "/api/public/request/" },
};

/** Begins the upload of a visitor, by the tus protocol. */
export const handler = byTus(calls({
  POST: {
    id: "beginReceived",
    tag: "Shares",
    summary: "Begin to send a file, by the tus protocol",
    description:
      "As `POST /api/tus/{path}`, without a path: the server chooses a free name, and does not " +
      "tell it. 403 also when as many files have come as are taken.",
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
      201: nothing("It has begun.", { Location: uploadPlace, ...uploadState }),
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
