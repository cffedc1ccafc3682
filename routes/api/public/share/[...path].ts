import type { RouteConfig } from "fresh";
import { describe } from "../../../../lib/server/files/listing/describe.ts";
import { calls } from "../../../../lib/server/http/calls.ts";
import { pathRoute } from "../../../../lib/server/http/request/request_path.ts";
import { recordVisit } from "../../../../lib/server/http/request/activities.ts";
import { flagOption } from "../../../../lib/server/http/request/query.ts";
import {
  accessToDescribe,
  readsInPlace,
  shareTokenFor,
  visitByCall,
} from "../../../../lib/server/http/request/share_requests.ts";
import {
  discardShared,
  makeSharedFolder,
  moveShared,
  saveShared,
} from "../../../../lib/server/http/request/shared_changes.ts";
import { textAnswer } from "../../../../lib/server/http/response/answers.ts";
import {
  folderOptions,
  sharedAnswer,
} from "../../../../lib/server/http/response/resource_answers.ts";
import {
  headerNamed,
  json,
  schemaNamed,
  text,
} from "../../../../lib/server/http/openapi/answers.ts";
import {
  folderParameters,
  parameterNamed,
} from "../../../../lib/server/http/openapi/parameters.ts";
import {
  badWrites,
  fileBody,
  fileWritten,
} from "../../../../lib/server/http/openapi/parts/files.ts";
import {
  arrivedInShare,
  badVisit,
  closedShare,
  ofEditors,
  sharedPath,
  sharedPlace,
  shareProofs,
} from "../../../../lib/server/http/openapi/parts/links.ts";
import { visitorName } from "../../../../lib/server/http/openapi/parts/office.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/public/share/*?") };

/**
 * A share, or an entry in it: described for visitors with the link and the password, changed by
 * those who may edit.
 */
export const handler = calls({
  GET: {
    id: "describeShared",
    tag: "Shares",
    summary: "Get a shared entry",
    description:
      "As `GET /api/resources/{path}`; paths are relative to the shared entry, and a text is " +
      "left out without `content=true`, and where the share counts downloads. " +
      "The `token` of the answer opens the share for two hours where an address can carry no " +
      "header; it is empty without a password. A share that has expired is 404, like one that " +
      "never existed. 403 if the owner is gone or may no longer share.",
    who: "anyone",
    parameters: [
      sharedPath,
      ...folderParameters,
      {
        name: "content",
        in: "query",
        description: "`true` adds the text of a text file.",
        schema: { type: "boolean", default: false },
      },
      ...shareProofs,
    ],
    answers: {
      200: json("The entry.", schemaNamed("SharedEntry"), { ETag: headerNamed("FileTag") }),
    },
    refusals: badVisit,
    examples: `
$ curl -i $CUBBY/api/public/share/$HASH
HTTP/1.1 401 Unauthorized
content-type: text/plain; charset=utf-8

Cannot open the share: it has a password
`,
    async handle(ctx) {
      const { cubby } = ctx.state;
      const visit = await visitByCall(ctx, "public/share");
      const { access, address, owner, path, share } = visit;
      recordVisit(ctx, "share_visit", visit);
      const asksText = ctx.req.method === "GET" && flagOption(ctx.url.searchParams, "content");
      const options = folderOptions(ctx, () => access, owner.sorting);
      options.content = asksText && readsInPlace(visit);
      const description = await describe(await accessToDescribe(ctx, visit), cubby, path, options);
      const token = await shareTokenFor(ctx, share);
      await cubby.shares.uses.recordVisit(share);
      return await sharedAnswer(ctx, description, { hash: address, token });
    },
  },

  POST: {
    id: "makeSharedFolder",
    tag: "Shares",
    summary: "Create a folder in a share",
    description: ofEditors +
      "Missing parents are created; a folder that exists is fine.",
    who: "anyone",
    parameters: [sharedPath, ...shareProofs, visitorName],
    answers: { 200: text("The folder exists.", schemaNamed("Done")) },
    refusals: [...closedShare, "invalid_name", "exists", "read_only", "disk_full"],
    async handle(ctx) {
      await makeSharedFolder(ctx);
      return textAnswer("OK\n");
    },
  },

  PUT: {
    id: "saveShared",
    tag: "Shares",
    summary: "Replace the content of a shared file",
    description: ofEditors +
      "As `PUT /api/resources/{path}`, with `If-Match`; the former content becomes a previous " +
      "version of the owner.",
    who: "anyone",
    parameters: [
      sharedPath,
      ...shareProofs,
      parameterNamed("IfMatch"),
      {
        name: "encoding",
        in: "query",
        description: "As for `PUT /api/resources/{path}`.",
        schema: { type: "string" },
      },
      visitorName,
    ],
    body: fileBody,
    answers: { 200: fileWritten },
    refusals: [
      ...closedShare,
      "invalid_name",
      "invalid_option",
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
    summary: "Rename or move an entry in a share",
    description: ofEditors +
      "`destination` is a path in the share. `override=true` replaces a file by a file; " +
      "folders are never merged, nothing is copied, and the shared entry itself keeps its " +
      "name and place.",
    who: "anyone",
    parameters: [
      sharedPath,
      ...shareProofs,
      visitorName,
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
    answers: {
      200: text("The entry was copied or moved completely.", schemaNamed("Done"), arrivedInShare),
    },
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
    summary: "Move an entry in a share to its owner's trash",
    description: ofEditors +
      "It never deletes permanently: where a disk has no trash, the call is 501. " +
      "`Content-Location` is the address of the call that restores the entry.",
    who: "anyone",
    parameters: [sharedPath, ...shareProofs, visitorName],
    answers: {
      200: text(
        "Moved to the trash.",
        schemaNamed("Done"),
        sharedPlace("By which whoever has deleted it puts it back.", "trash"),
      ),
    },
    refusals: [...closedShare, "read_only", "no_trash", "hook_failed"],
    examples: `
$ curl -i -X DELETE $CUBBY/api/public/share/$HASH/sea.jpg -H "X-Auth: $TOKEN" -H "X-SHARE-PASSWORD: open%20sesame"
HTTP/1.1 403 Forbidden
content-type: text/plain; charset=utf-8

Cannot change the share: it does not allow editing
`,
    async handle(ctx) {
      const location = await discardShared(ctx);
      return textAnswer("OK\n", { headers: { "content-location": location } });
    },
  },
});
