import type { Context } from "fresh";
import type { State } from "../define.ts";
import { type Hooked, withHooks } from "../../features/commands/hooks.ts";
import { refuseLocked } from "../../features/commands/refuse_locked.ts";
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
  return await withHooks(ctx.state.cubby, event, { ...about, ...actingOf(ctx) }, operation);
}

/**
 * Asks again whether a lock is in the way of an operation that {@linkcode hooked} runs: for the end
 * of a body that came for a while.
 *
 * @throws DomainError `locked`
 */
export async function assertUnlocked<T>(
  ctx: Context<State>,
  { event, ...about }: Hooked<T>,
): Promise<void> {
  await refuseLocked(ctx.state.cubby, event, { ...about, ...actingOf(ctx) });
}

function actingOf(ctx: Context<State>) {
  return { address: ctx.state.address, signedIn: signedInOf(ctx) };
}
