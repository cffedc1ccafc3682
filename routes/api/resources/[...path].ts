import type { RouteConfig } from "fresh";
import type { State } from "../../../lib/define.ts";
import { describe } from "../../../lib/files/describe.ts";
import { makeFolder } from "../../../lib/files/make_folder.ts";
import { removeEntry } from "../../../lib/files/remove.ts";
import { copyEntry, moveEntry } from "../../../lib/files/transfer.ts";
import { saveFile, uploadFile } from "../../../lib/files/upload.ts";
import { textAnswer } from "../../../lib/http/answers.ts";
import { enter } from "../../../lib/http/entering.ts";
import { methods } from "../../../lib/http/methods.ts";
import { flagOption } from "../../../lib/http/query.ts";
import { requestPath } from "../../../lib/http/request_path.ts";
import { describeOptions, descriptionAnswer } from "../../../lib/http/resource_answers.ts";
import { transferOptions } from "../../../lib/http/transfer_options.ts";
import { uploadOptions } from "../../../lib/http/upload_options.ts";

/** With and without a slash at the end, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/resources{/*}?" };

/** Entries: described, made, written, copied, moved and removed. */
export const handler = methods<State>({
  async GET(ctx) {
    const { path } = requestPath(ctx, "resources");
    const { walker } = ctx.state.cubby;
    const description = await describe(enter(ctx), walker, path, describeOptions(ctx));
    return descriptionAnswer(ctx.req, description);
  },

  async POST(ctx) {
    const { path, folder } = requestPath(ctx, "resources");
    const access = enter(ctx);
    if (folder) {
      await makeFolder(access, path);
      return textAnswer("OK\n");
    }
    const override = flagOption(ctx.url.searchParams, "override");
    const options = { ...uploadOptions(ctx.req), override };
    const { etag } = await uploadFile(access, path, ctx.req.body, options);
    return textAnswer("OK\n", { headers: { etag } });
  },

  async PUT(ctx) {
    const { path } = requestPath(ctx, "resources");
    const { etag } = await saveFile(enter(ctx), path, ctx.req.body, uploadOptions(ctx.req));
    return textAnswer("OK\n", { headers: { etag } });
  },

  async PATCH(ctx) {
    const { path } = requestPath(ctx, "resources");
    const { action, to, ...options } = transferOptions(ctx.url);
    const { mover, followers } = ctx.state.cubby;
    const transfer = action === "copy" ? copyEntry : moveEntry;
    await transfer(enter(ctx), mover, path, to, { ...options, followers, signal: ctx.req.signal });
    return textAnswer("OK\n");
  },

  async DELETE(ctx) {
    const { path } = requestPath(ctx, "resources");
    const { walker, followers } = ctx.state.cubby;
    await removeEntry(enter(ctx), walker, path, ctx.req.signal, followers);
    return textAnswer("OK\n");
  },
});
