import { createDefine } from "fresh";
import type { Page } from "../../shared/page_data.ts";
import type { Cubby } from "../boot/cubby/cubby.ts";
import type { Reservation } from "./middleware/heavy_answers.ts";
import type { OtherSources } from "./middleware/security_headers.ts";
import type { Caller, SignedIn } from "../features/accounts/auth/session.ts";

/** The state that middlewares leave on a request for the routes behind them. */
export interface State {
  /** The open application: its configuration, records and gate. */
  cubby: Cubby;
  /** The client's address, as the trusted proxies report it. */
  address: string;
  /** Who makes the request; absent on public routes and before the sign-in check. */
  signedIn?: Caller;
  /** In place of `signedIn`: a session that may do nothing but set up a second factor. */
  enrolling?: SignedIn;
  /** The other sites that the page loads from; none unless its route says so. */
  others?: OtherSources;
  /** The memory reserved for the response, if it is a heavy one. */
  reservation?: Reservation;
  /** The answer contains a token, so its size must not depend on it: it is not compressed. */
  hasToken?: true;
  /** The page that answers the request, once `openPage` has made it. */
  page?: Page;
}

/** Fresh's typed identity functions for this application's state. */
export const define = createDefine<State>();
