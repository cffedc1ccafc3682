import type { Context } from "fresh";
import { ErrorPage } from "../../client/ui/ErrorPage.tsx";
import type { State } from "../define.ts";
import { openPage } from "./open_page.ts";

/** Answers with the page that says what a status means, in the visitor's language. */
export async function renderError(ctx: Context<State>, status: number): Promise<Response> {
  const page = await openPage(ctx);
  const headers = { "cache-control": "no-store" };
  return await ctx.render(<ErrorPage page={page} status={status} />, { status, headers });
}
