import type { RouteConfig } from "fresh";
import type { ErrorCode } from "../../../../lib/shared/errors.ts";
import { describe } from "../../../../lib/server/files/listing/describe.ts";
import { calls } from "../../../../lib/server/http/calls.ts";
import { reserveMemory } from "../../../../lib/server/http/middleware/heavy_answers.ts";
import { noteVisit } from "../../../../lib/server/http/request/activities.ts";
import { countOption, sortingOption } from "../../../../lib/server/http/request/query.ts";
import { visitByCall } from "../../../../lib/server/http/request/share_requests.ts";
import {
  discardShared,
  makeSharedFolder,
  moveShared,
  saveShared,
} from "../../../../lib/server/http/request/shared_changes.ts";
import { textAnswer } from "../../../../lib/server/http/response/answers.ts";
import { sharedAnswer } from "../../../../lib/server/http/response/resource_answers.ts";
import { json, text } from "../../../../lib/server/openapi/answers.ts";
import { headerNamed } from "../../../../lib/server/openapi/headers.ts";
import { parameterNamed } from "../../../../lib/server/openapi/parameters.ts";
import {
  arrivedInShare,
  badVisit,
  closedShare,
  ofEditors,
  sharedPath,
  sharedPlace,
  shareProofs,
} from "../../../../lib/server/openapi/parts/shares.ts";
import { schemaNamed } from "../../../../lib/server/openapi/references.ts";
import { shareTokenOf } from "../../../../lib/server/shares/share_tokens.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/public/share{/*}?" };

/** Errors of writing to the disk. */
const badWrites: ErrorCode[] = ["read_only", "disk_full", "over_quota", "hook_failed"];

/**
 * A share, or an entry in it: described for visitors with the link and the password, changed by
 * recipients who may edit.
 */
export const handler = calls({
  GET: {
    id: "describeShared",
    tag: "Shares",
    summary: "Tell a visitor of what is shared",
    description: "Nothing of it is told before the password is right. 403 when the owner is " +
      "gone, or may not share any more.",
    who: "anyone",
    parameters: [sharedPath, ...shareProofs],
    answers: { 200: json("What is there.", schemaNamed("SharedEntry")) },
    refusals: badVisit,
    async handle(ctx) {
      const { cubby } = ctx.state;
      const visit = await visitByCall(ctx, "public/share");
      const { access, address, owner, path, share } = visit;
      noteVisit(ctx, "share_visit", visit);
      const query = ctx.url.searchParams;
      const description = await describe(access, cubby, path, {
        offset: countOption(query, "offset"),
        limit: countOption(query, "limit"),
        sorting: sortingOption(query, owner.sorting),
        signal: ctx.req.signal,
        reserve: (bytes) => reserveMemory(ctx, bytes),
      });
      const token = await shareTokenOf(cubby.key, share);
      await cubby.shares.uses.noteVisit(share);
      return await sharedAnswer(ctx, description, { hash: address, token });
    },
  },

  POST: {
    id: "makeSharedFolder",
    tag: "Shares",
    summary: "Make a folder in what is shared",
    description: `${ofEditors}Missing parents are made; a folder that is there is fine.`,
    who: "anyone",
    parameters: [sharedPath, ...shareProofs],
    answers: { 200: text("The folder is there.", schemaNamed("Done")) },
    refusals: [...closedShare, "invalid_name", "exists", "read_only", "disk_full"],
    async handle(ctx) {
      await makeSharedFolder(ctx);
      return textAnswer("OK\n");
    },
  },

  PUT: {
    id: "saveShared",
    tag: "Shares",
    summary: "Write new content into a file that is shared",
    description: `${ofEditors}As \`PUT /api/resources/{path}\`: the former file is kept as a ` +
      "version of the owner's, where the settings keep them.",
    who: "anyone",
    parameters: [sharedPath, ...shareProofs, parameterNamed("IfMatch")],
    body: {
      description: "The bytes of the file, of any type.",
      content: { "application/octet-stream": {} },
    },
    answers: {
      200: text("The file is there, whole.", schemaNamed("Done"), { ETag: headerNamed("ETag") }),
    },
    refusals: [
      ...closedShare,
      "invalid_name",
      "invalid_body",
      "not_a_file",
      "is_folder",
      "precondition_failed",
      ...badWrites,
    ],
    async handle(ctx) {
      const { etag } = await saveShared(ctx);
      return textAnswer("OK\n", { headers: { etag } });
    },
  },

  PATCH: {
    id: "moveShared",
    tag: "Shares",
    summary: "Give an entry another name or place in what is shared",
    description:
      `${ofEditors}The shared entry itself stays where it is. A folder never takes the ` +
      "place of another.",
    who: "anyone",
    parameters: [
      sharedPath,
      ...shareProofs,
      {
        name: "action",
        in: "query",
        required: true,
        description: "`move` says the same.",
        schema: { type: "string", enum: ["rename", "move"] },
      },
      {
        name: "destination",
        in: "query",
        required: true,
        description:
          "The new path in what is shared, written as for `PATCH /api/resources/{path}`.",
        schema: { type: "string", minLength: 1 },
        example: "/2026/sea%20and%20sky.jpg",
      },
      parameterNamed("Override"),
      {
        name: "rename",
        in: "query",
        description: "`true` picks another name when this one is taken: `sea(1).jpg`.",
        schema: { type: "boolean", default: false },
      },
    ],
    answers: { 200: text("The entry is there, whole.", schemaNamed("Done"), arrivedInShare) },
    refusals: [
      ...closedShare,
      "invalid_name",
      "invalid_option",
      "exists",
      "not_supported",
      ...badWrites,
    ],
    async handle(ctx) {
      const location = await moveShared(ctx);
      return textAnswer("OK\n", { headers: { "content-location": location } });
    },
  },

  DELETE: {
    id: "removeShared",
    tag: "Shares",
    summary: "Move an entry in what is shared to its owner's trash",
    description:
      `${ofEditors}It never deletes for good: where a disk has no trash, the entry stays.`,
    who: "anyone",
    parameters: [sharedPath, ...shareProofs],
    answers: {
      200: text(
        "It is in the trash.",
        schemaNamed("Done"),
        sharedPlace("By which the same recipient puts it back.", "trash"),
      ),
    },
    refusals: [...closedShare, "read_only", "no_trash", "hook_failed"],
    async handle(ctx) {
      const location = await discardShared(ctx);
      return textAnswer("OK\n", { headers: { "content-location": location } });
    },
  },
});
