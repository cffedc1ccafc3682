import type { RouteConfig } from "fresh";
import { calls } from "../../../lib/server/http/calls.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { noteDownload } from "../../../lib/server/http/request/activities.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import { chosenAnswer, downloadAnswer } from "../../../lib/server/http/response/download_answer.ts";
import { bytes } from "../../../lib/server/openapi/answers.ts";
import { headerNamed } from "../../../lib/server/openapi/headers.ts";
import { parameterNamed } from "../../../lib/server/openapi/parameters.ts";
import {
  archiveParameters,
  archiveTypes,
  downloadAnswers,
  downloadParameters,
  ofBytes,
  unreadable,
} from "../../../lib/server/openapi/parts/content.ts";
import { MediaType, type RequestBody } from "../../../lib/server/openapi/types.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/raw{/*}?" };

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
    description: "With `files`, or for a folder, an archive is sent as it is made, without what " +
      "the user may not reach and without what links lead to. A zip is stored, so that it has a " +
      "length and can be gone on with, unless `compress` asks for less. When a file vanishes or " +
      "changes while it is read, the connection breaks rather than ending as if all were there." +
      "\n\nNeeds the permission to download.",
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
    async handle(ctx) {
      const { path } = requestPath(ctx, "raw");
      const access = accessFor(ctx);
      const answer = await downloadAnswer(ctx, access, path, signedInOf(ctx).settings);
      if (answer.ok) noteDownload(ctx, access, path);
      return answer;
    },
  },

  POST: {
    id: "downloadChosen",
    tag: "Content",
    summary: "Download much of a folder as an archive",
    description: "As with `GET`, for a selection that is too long for an address: `files` comes " +
      "in a form of at most 4 MiB, which a page can send with a ticket.\n\nNeeds the permission " +
      "to download.",
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
    async handle(ctx) {
      const { path } = requestPath(ctx, "raw");
      const access = accessFor(ctx);
      const answer = await chosenAnswer(ctx, access, path, signedInOf(ctx).settings);
      noteDownload(ctx, access, path);
      return answer;
    },
  },
});
