import type { RouteConfig } from "fresh";
import type { Access } from "../../../lib/access/access.ts";
import type { EntryPath } from "../../../lib/access/path.ts";
import type { State } from "../../../lib/define.ts";
import { DomainError } from "../../../lib/errors.ts";
import {
  type ContentInfo,
  type OpenContent,
  openContent,
  statContent,
} from "../../../lib/files/open_content.ts";
import { enter } from "../../../lib/http/entering.ts";
import { methods } from "../../../lib/http/methods.ts";
import { refuseAsCode } from "../../../lib/http/not_as_code.ts";
import { flagOption } from "../../../lib/http/query.ts";
import { requestPath } from "../../../lib/http/request_path.ts";
import { sendFile } from "../../../lib/http/send_file.ts";

/** With and without a slash at the end, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/raw{/*}?" };

/** Hands out the bytes of one file. */
export const handler = methods<State>({
  async GET(ctx) {
    refuseAsCode(ctx.req);
    const { path } = requestPath(ctx, "raw");
    const query = ctx.url.searchParams;
    if (query.has("files")) throw noArchives();

    const access = enter(ctx);
    const content = await lookAt(ctx.req.method, access, path);
    return await sendFile(ctx.req, content, { inline: flagOption(query, "inline") });
  },
});

/** The file, open for GET and closed for HEAD. */
async function lookAt(
  method: string,
  access: Access,
  path: EntryPath,
): Promise<ContentInfo | OpenContent> {
  try {
    return method === "HEAD" ? statContent(access, path) : await openContent(access, path);
  } catch (error) {
    const isFolder = error instanceof DomainError && error.code === "is_folder";
    throw isFolder ? noArchives() : error;
  }
}

function noArchives(): DomainError {
  return new DomainError("not_supported", "Cannot send a folder or several files at once");
}
