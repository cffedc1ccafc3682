import { encodePath } from "../../../lib/shared/path.ts";
import { serverPath } from "../../../lib/server/features/audit/server_path.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { recordActivity } from "../../../lib/server/http/request/activities.ts";
import { flagOption } from "../../../lib/server/http/request/query.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { refuseAsCode } from "../../../lib/server/http/response/downloads.ts";
import { sendFile } from "../../../lib/server/http/response/send_file.ts";
import { bytes, done, headerNamed } from "../../../lib/server/http/openapi/answers.ts";
import { conditions, parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";
import {
  ofBytes,
  partAnswers,
  rangeParameters,
} from "../../../lib/server/http/openapi/parts/files.ts";
import type { Parameter } from "../../../lib/server/http/openapi/types.ts";

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
    summary: "Download a file in the trash",
    description:
      "A deleted file or a previous version, with ranges, conditions and `inline` as for `GET " +
      "/api/raw/{path}`. A folder is 409 `is_folder`; restore it to look into it.\n\n" +
      "Needs the permission to download, and access to the path where the file was.",
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
    examples: `
$ echo 'Mend the roof, paint the door' > roof.txt
$ curl -s --data-binary @roof.txt $CUBBY/api/resources/roof.txt -H "X-Auth: $TOKEN"
OK
$ echo 'Paint the door' > roof.txt
$ curl -s -X PUT --data-binary @roof.txt $CUBBY/api/resources/roof.txt -H "X-Auth: $TOKEN"
OK
$ ID=$(curl -s "$CUBBY/api/trash?versions=/roof.txt" -H "X-Auth: $TOKEN" | jq -r .items[0].id)
$ curl -s $CUBBY/api/trash/$ID -H "X-Auth: $TOKEN"
Mend the roof, paint the door
`,
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
    summary: "Restore an entry from the trash",
    description:
      "With everything in it, to its former place, or under another name, `a(1).txt`, where " +
      "that is taken. Missing folders are created. `Content-Location` has its path. An entry " +
      "that another program has removed from the trash is 404 and is no longer listed. With " +
      "`override=true` a file replaces the present one, which becomes a previous version.\n\n" +
      "Needs the permission to create; `override` needs modify as well.",
    token: "whole write",
    parameters: [
      trashParameter,
      {
        name: "override",
        in: "query",
        description: "`true` puts a file in place of the one that is there, which is kept as a " +
          "previous version. Needs the permission to modify as well.",
        schema: { type: "boolean", default: false },
      },
    ],
    answers: {
      200: { ...done, headers: { "Content-Location": headerNamed("ContentLocation") } },
    },
    refusals: ["not_found", "exists", "disk_full", "read_only"],
    examples: `
$ curl $CUBBY/api/trash/none -X POST -H "X-Auth: $TOKEN"
Cannot find "none": it is not in the trash
`,
    async handle(ctx) {
      const { cubby } = ctx.state;
      const { id = "" } = ctx.params;
      const replaces = flagOption(ctx.url.searchParams, "override");
      const access = accessFor(ctx);
      const { user } = signedInOf(ctx);
      if (replaces) {
        const { path: place } = await cubby.trash.records.get(user.id, id);
        const holder = { userId: user.id, tokens: new Set<string>() };
        const action = `Cannot restore "${id}"`;
        await cubby.locks?.assertFree(holder, [{ place, isMember: true }], action);
      }
      const path = await cubby.trash.restore(access, user.id, id, replaces);
      cubby.notifyChanged(access, path);
      recordActivity(ctx, "restore", { path: serverPath(access, path) });
      const location = `${ctx.config.basePath}/api/resources${encodePath(path)}`;
      return textAnswer("OK\n", { headers: { "content-location": location } });
    },
  },

  DELETE: {
    id: "removeFromTrash",
    tag: "Resources",
    summary: "Permanently delete an entry in the trash",
    description: "Needs the permission to delete.",
    token: "whole write",
    parameters: [trashParameter],
    answers: { 200: done },
    refusals: ["not_found"],
    examples: `
$ curl $CUBBY/api/trash/none -X DELETE -H "X-Auth: $TOKEN"
Cannot find "none": it is not in the trash
`,
    async handle(ctx) {
      const { id = "" } = ctx.params;
      const access = accessFor(ctx);
      access.need(`Cannot delete "${id}"`, "delete");
      const { trash } = ctx.state.cubby;
      const { user } = signedInOf(ctx);
      const { path } = await trash.records.get(user.id, id);
      await trash.remove(user.id, id, access);
      recordActivity(ctx, "purge", { path });
      return textAnswer("OK\n");
    },
  },
});
