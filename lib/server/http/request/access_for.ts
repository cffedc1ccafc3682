import type { Context } from "fresh";
import type { Access } from "../../access/access.ts";
import { viewerOf } from "../../access/viewer.ts";
import type { State } from "../../define.ts";
import { signedInOf } from "../middleware/sign_in.ts";

/**
 * The gate's access for the user of the request.
 *
 * @throws DomainError `not_signed_in`
 */
export function accessFor(ctx: Context<State>): Access {
  const { user, settings } = signedInOf(ctx);
  return ctx.state.cubby.gate.enter(viewerOf(user, settings.rules));
}
