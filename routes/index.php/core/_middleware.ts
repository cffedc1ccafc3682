import { requireOption, signInDav } from "../../../lib/server/http/dav/dav_sign_in.ts";
import { noStore } from "../../../lib/server/http/middleware/security_headers.ts";
import { leaveToSlowDisks } from "../../../lib/server/http/middleware/slow_paths.ts";

export default [requireOption("syncClients"), noStore, signInDav, leaveToSlowDisks];
