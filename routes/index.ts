import { define } from "../lib/server/http/define.ts";
import { filesHome, redirect } from "../lib/server/http/pages/redirects.ts";

/** Redirects to the files. */
export const handler = define.handlers({
  GET: (ctx) => redirect(filesHome(ctx)),
});
