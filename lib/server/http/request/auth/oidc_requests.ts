import type { Context } from "fresh";
import type { State } from "../../define.ts";
import { DomainError } from "../../../../shared/errors.ts";
import type { OidcSignIn } from "../../../features/accounts/auth/oidc/oidc_sign_in.ts";
import type { LoginRefusal } from "../../../../shared/page_data.ts";
import { publicAddress } from "../../middleware/client_address.ts";
import { providerPath } from "./cookies.ts";

/**
 * The sign-in by accounts of a provider.
 *
 * @throws DomainError `not_found` without a provider
 */
export function oidcOf(ctx: Pick<Context<State>, "state">): OidcSignIn {
  const { oidc } = ctx.state.cubby;
  if (oidc) return oidc;
  throw new DomainError(
    "not_found",
    "Cannot sign in through a provider: none is configured",
  );
}

/** The address that the provider sends visitors back to: it has to know it beforehand. */
export function callbackAddress(ctx: Context<State>): string {
  return publicAddress(ctx, `${providerPath}/callback`);
}

/** The reason that the sign-in page shows for a refusal; undefined for errors of the program. */
export function loginRefusalOf(error: unknown): LoginRefusal | undefined {
  if (!(error instanceof DomainError)) return undefined;
  switch (error.code) {
    case "busy":
      return "away";
    case "throttled":
      return "throttled";
    case "not_signed_in":
      return "expired";
    case "wrong_credentials":
      return "failed";
    case "forbidden":
    case "exists":
    case "invalid_name":
    case "last_admin":
      return "refused";
    default:
      return undefined;
  }
}
