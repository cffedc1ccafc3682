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
import { archiveAnswer } from "../../../lib/http/archive_answer.ts";
import { enter } from "../../../lib/http/entering.ts";
import { methods } from "../../../lib/http/methods.ts";
import { refuseAsCode } from "../../../lib/http/not_as_code.ts";
import { flagOption } from "../../../lib/http/query.ts";
import { requestPath } from "../../../lib/http/request_path.ts";
import { sendFile } from "../../../lib/http/send_file.ts";
import { signedInOf } from "../../../lib/http/sign_in.ts";

/** With and without a slash at the end, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/raw{/*}?" };

/** Hands out the bytes of one file, or a folder and what is chosen of it as an archive. */
export const handler = methods<State>({
  async GET(ctx) {
    refuseAsCode(ctx.req);
    const { path } = requestPath(ctx, "raw");
    const query = ctx.url.searchParams;
    const access = enter(ctx);
    const content = query.has("files") ? null : await lookAt(ctx.req.method, access, path);
    if (!content) {
      const { branding } = signedInOf(ctx).settings;
      return await archiveAnswer(ctx, access, path, branding.name || "Cubby");
    }
    return await sendFile(ctx.req, content, { inline: flagOption(query, "inline") });
  },
});

/** The file, open for GET and closed for HEAD; null for a folder. */
async function lookAt(
  method: string,
  access: Access,
  path: EntryPath,
): Promise<ContentInfo | OpenContent | null> {
  try {
    return method === "HEAD" ? statContent(access, path) : await openContent(access, path);
  } catch (error) {
    if (error instanceof DomainError && error.code === "is_folder") return null;
    throw error;
  }
}
