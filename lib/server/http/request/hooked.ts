import type { Context } from "fresh";
import type { State } from "../../define.ts";
import { type Hooked, withHooks } from "../../hooks/hooks.ts";
import { signedInOf } from "../middleware/sign_in.ts";

/**
 * Runs a request's operation between the commands that are hooked before and after its event.
 *
 * @throws DomainError `hook_failed`, `internal`, and what the operation throws
 */
export async function hooked<T>(
  ctx: Context<State>,
  { event, ...about }: Hooked<T>,
  operation: () => Promise<T>,
): Promise<T> {
  const { cubby, address } = ctx.state;
  const subject = { ...about, address, signedIn: signedInOf(ctx) };
  return await withHooks(cubby, event, subject, operation);
}
