import type { Context } from "fresh";
import type { State } from "../define.ts";

/** Middleware: sets `Cache-Control: no-store` on responses without a `Cache-Control`. */
export async function noStore(ctx: Context<State>): Promise<Response> {
  const answer = await ctx.next();
  if (!answer.headers.has("cache-control")) answer.headers.set("cache-control", "no-store");
  return answer;
}
