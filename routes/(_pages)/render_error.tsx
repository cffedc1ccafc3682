import type { Context } from "fresh";
import { ErrorPage } from "../../lib/client/ui/PageRoot.tsx";
import type { State } from "../../lib/server/define.ts";
import { openPage } from "../../lib/server/pages/open_page.ts";

/** Answers with a page that explains a status, in the visitor's language. */
export async function renderError(ctx: Context<State>, status: number): Promise<Response> {
  const page = await openPage(ctx);
  const headers = { "cache-control": "no-store" };
  return await ctx.render(<ErrorPage page={page} status={status} />, { status, headers });
}
