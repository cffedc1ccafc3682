import { noStore } from "../../lib/http/no_store.ts";
import { announceRenewal, requireSignIn } from "../../lib/http/sign_in.ts";

export default [noStore, announceRenewal, requireSignIn];
