import { define } from "../lib/server/define.ts";
import { filesHome, redirect } from "../lib/server/pages/redirects.ts";

/** Redirects to the files. */
export const handler = define.handlers({
  GET: (ctx) => redirect(filesHome(ctx)),
});
