import { requireOption } from "../../lib/server/http/dav/dav_sign_in.ts";
import { noStore } from "../../lib/server/http/middleware/security_headers.ts";
import { signInOcs } from "../../lib/server/http/ocs/ocs_calls.ts";

export default [requireOption("syncClients"), noStore, signInOcs];
