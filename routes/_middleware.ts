import { refuseCrossSite } from "../lib/http/cross_site.ts";
import { refuseForeignHost } from "../lib/http/known_host.ts";
import { signIn } from "../lib/http/sign_in.ts";
import { leaveToSlowDisks } from "../lib/http/slow_paths.ts";

export default [
  refuseForeignHost,
  refuseCrossSite,
  signIn,
  leaveToSlowDisks,
];
