import { refuseCrossSite } from "../lib/server/http/middleware/cross_site.ts";
import { refuseForeignHost } from "../lib/server/http/middleware/known_host.ts";
import { signIn } from "../lib/server/http/middleware/sign_in.ts";
import { leaveToSlowDisks } from "../lib/server/http/middleware/slow_paths.ts";

export default [
  refuseForeignHost,
  refuseCrossSite,
  signIn,
  leaveToSlowDisks,
];
