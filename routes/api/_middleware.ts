import { noStore } from "../../lib/server/http/middleware/no_store.ts";
import { announceRenewal, requireSignIn } from "../../lib/server/http/middleware/sign_in.ts";

export default [noStore, announceRenewal, requireSignIn];
