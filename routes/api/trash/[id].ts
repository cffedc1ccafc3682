import { encodePath } from "../../../lib/shared/path.ts";
import { serverPath } from "../../../lib/server/audit/places.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { flagOption } from "../../../lib/server/http/request/query.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { refuseAsCode } from "../../../lib/server/http/response/not_as_code.ts";
import { sendFile } from "../../../lib/server/http/response/send_file.ts";
import { bytes, done } from "../../../lib/server/openapi/answers.ts";
import { headerNamed } from "../../../lib/server/openapi/headers.ts";
import { conditions, parameterNamed } from "../../../lib/server/openapi/parameters.ts";
import {
  ofBytes,
  partAnswers,
  rangeParameters,
} from "../../../lib/server/openapi/parts/content.ts";
import type { Parameter } from "../../../lib/server/openapi/types.ts";

const trashParameter: Parameter = {
  name: "id",
  in: "path",
  required: true,
  description: "As the list has it, and `Content-Location` of the deletion.",
  schema: { type: "string" },
  example: "0mb3k2x9q-5f0c1d2e3a4b5c6d",
};

/** An entry in the user's own trash: read, restored, or deleted for good. */
export const handler = calls({
  GET: {
    id: "readTrashed",
    tag: "Resources",
    summary: "Read a file in the trash",
    description: "Also a former version. Needs the permission to download, and that nothing " +
      "denies the path on which it was.",
    token: "whole read",
    parameters: [trashParameter, parameterNamed("Inline"), ...rangeParameters, ...conditions],
    answers: {
      200: bytes("The file.", ["*/*"], {
        ...ofBytes,
        "Content-Length": headerNamed("Length"),
      }),
      ...partAnswers,
    },
    refusals: [
      "not_found",
      "is_folder",
      "not_a_file",
      "precondition_failed",
      "range_not_satisfiable",
    ],
    async handle(ctx) {
      refuseAsCode(ctx.req);
      const { id = "" } = ctx.params;
      const { trash } = ctx.state.cubby;
      const { file, ...info } = await trash.open(accessFor(ctx), signedInOf(ctx).user.id, id);
      const inline = flagOption(ctx.url.searchParams, "inline");
      if (ctx.req.method !== "HEAD") return await sendFile(ctx.req, { ...info, file }, { inline });
      file.close();
      return await sendFile(ctx.req, info, { inline });
    },
  },

  POST: {
    id: "restore",
    tag: "Resources",
    summary: "Restore an entry with all that is in it",
    description: "Needs the permission to create. It goes back where it was; under another " +
      "name, `a(1).txt`, where that is taken. Missing folders are made.",
    token: "whole write",
    parameters: [
      trashParameter,
      {
        name: "override",
        in: "query",
        description: "`true` puts a file in place of the one that is there, which is kept as a " +
          "former version. Needs the permission to modify as well.",
        schema: { type: "boolean", default: false },
      },
    ],
    answers: {
      200: { ...done, headers: { "Content-Location": headerNamed("ContentLocation") } },
    },
    refusals: ["not_found", "exists", "disk_full", "read_only"],
    async handle(ctx) {
      const { cubby } = ctx.state;
      const { id = "" } = ctx.params;
      const replaces = flagOption(ctx.url.searchParams, "override");
      const access = accessFor(ctx);
      const path = await cubby.trash.restore(access, signedInOf(ctx).user.id, id, replaces);
      cubby.touched(access, path);
      noteActivity(ctx, "restore", { path: serverPath(access, path) });
      const location = `${ctx.config.basePath}/api/resources${encodePath(path)}`;
      return textAnswer("OK\n", { headers: { "content-location": location } });
    },
  },

  DELETE: {
    id: "removeFromTrash",
    tag: "Resources",
    summary: "Delete an entry in the trash for good",
    description: "Needs the permission to delete.",
    token: "whole write",
    parameters: [trashParameter],
    answers: { 200: done },
    refusals: ["not_found"],
    async handle(ctx) {
      const { id = "" } = ctx.params;
      const access = accessFor(ctx);
      access.need(`Cannot delete "${id}"`, "delete");
      const { trash } = ctx.state.cubby;
      const { user } = signedInOf(ctx);
      const { path } = await trash.records.get(user.id, id);
      await trash.remove(user.id, id, access);
      noteActivity(ctx, "purge", { path });
      return textAnswer("OK\n");
    },
  },
});
