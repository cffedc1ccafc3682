import { requireOption, signInDav } from "../../../lib/server/http/dav/dav_sign_in.ts";
import { noStore } from "../../../lib/server/http/middleware/security_headers.ts";

export default [requireOption("syncClients"), noStore, signInDav];
