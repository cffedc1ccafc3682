import { noStore } from "../../lib/server/http/middleware/no_store.ts";
import { announceRenewal } from "../../lib/server/http/middleware/sign_in.ts";

export default [noStore, announceRenewal];
