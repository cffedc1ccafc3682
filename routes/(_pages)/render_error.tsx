import type { Context } from "fresh";
import { ErrorPage } from "../../lib/client/base/ui/PageRoot.tsx";
import type { State } from "../../lib/server/http/define.ts";
import type { Page } from "../../lib/shared/page_data.ts";
import { errorResponse } from "../../lib/server/http/response/error_response.ts";
import { isStoreUnusable } from "../../lib/server/core/kv/circuit_breaker.ts";
import { openPage } from "../../lib/server/http/pages/open_page.ts";

/**
 * Answers with a page that explains a status, in the visitor's language; with a sentence where the
 * page cannot be made, as the store is away.
 */
export async function renderError(ctx: Context<State>, status: number): Promise<Response> {
  let page: Page;
  try {
    page = await openPage(ctx);
  } catch (error) {
    if (!isStoreUnusable(error)) throw error;
    return errorResponse(error, ctx.req);
  }
  const headers = { "cache-control": "no-store" };
  return await ctx.render(<ErrorPage page={page} status={status} />, { status, headers });
}
