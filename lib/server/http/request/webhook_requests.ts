import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import type { State } from "../define.ts";
import type { Webhooks } from "../../features/webhooks/webhooks.ts";

/**
 * The webhooks of the server.
 *
 * @param action what the administrator wants to do: `list webhooks`
 * @throws DomainError `not_supported` without `--webhooks`
 */
export function webhooksOf(ctx: Context<State>, action: string): Webhooks {
  const { webhooks } = ctx.state.cubby;
  if (webhooks) return webhooks;
  throw new DomainError("not_supported", `Cannot ${action}: webhooks are off (--webhooks)`);
}
