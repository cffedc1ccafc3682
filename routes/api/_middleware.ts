import { noStore } from "../../lib/server/http/middleware/security_headers.ts";
import { announceRenewal } from "../../lib/server/http/middleware/sign_in.ts";

export default [noStore, announceRenewal];
