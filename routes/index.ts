import { define } from "../lib/define.ts";
import { filesHome, redirect } from "../lib/pages/redirects.ts";

/** The site begins with the files. */
export const handler = define.handlers({
  GET: (ctx) => redirect(filesHome(ctx)),
});
