import { requireOption } from "../../lib/server/http/dav/dav_sign_in.ts";
import { noStore } from "../../lib/server/http/middleware/security_headers.ts";

export default [requireOption("office"), noStore];
