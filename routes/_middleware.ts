import { refuseCrossSite, refuseForeignHost } from "../lib/server/http/middleware/origin_checks.ts";
import { signIn } from "../lib/server/http/middleware/sign_in.ts";
import { leaveToSlowDisks } from "../lib/server/http/middleware/slow_paths.ts";

export default [
  refuseForeignHost,
  refuseCrossSite,
  signIn,
  leaveToSlowDisks,
];
