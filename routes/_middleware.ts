import { noteAddress } from "../lib/http/client_address.ts";
import { refuseCrossSite } from "../lib/http/cross_site.ts";
import { refuseForeignHost } from "../lib/http/known_host.ts";
import { requestLog } from "../lib/http/request_log.ts";
import { securityHeaders } from "../lib/http/security_headers.ts";
import { signIn } from "../lib/http/sign_in.ts";

export default [
  requestLog,
  noteAddress,
  securityHeaders,
  refuseForeignHost,
  refuseCrossSite,
  signIn,
];
