import { type Context, HttpError } from "fresh";
import { unlessRefused } from "../../../shared/unless_refused.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { AskingApp } from "../../../shared/page_data.ts";
import { writingPermissions } from "../../features/accounts/auth/api_token.ts";
import { clientNameOf } from "../../features/accounts/auth/client_name.ts";
import type { LoginFlows } from "../../features/accounts/auth/login_flows.ts";
import { addressKeyOf } from "../../features/accounts/auth/rate_limit_keys.ts";
import type { State } from "../define.ts";
import { publicAddress } from "../middleware/client_address.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { recordActivity } from "../request/activities.ts";
import { readBody } from "../request/body.ts";
import { errorResponse } from "../response/error_response.ts";
import { jsonAnswer } from "../response/answers.ts";

/** The path of the page on which users consent, without the token at its end. */
const pagePath = "/index.php/login/v2/flow";

const noStore = { "cache-control": "no-store" };

/**
 * The clients that wait for their users.
 *
 * @throws HttpError 404 without `--sync-clients`
 */
export function loginFlowsOf({ state }: Pick<Context<State>, "state">): LoginFlows {
  const { loginFlows } = state.cubby;
  if (loginFlows) return loginFlows;
  throw new HttpError(404);
}

/**
 * The app that waits for the user of a link, for the page that asks; null for a link that is none,
 * was used, or is too old.
 */
export async function appAsking(ctx: Context<State>, flow: string): Promise<AskingApp | null> {
  return await unlessRefused(async () => {
    const { client, address } = await loginFlowsOf(ctx).waiting(flow);
    const isNear = addressKeyOf(address) === addressKeyOf(ctx.state.address);
    const { perm } = signedInOf(ctx).user;
    const mayWrite = perm.admin || writingPermissions.some((name) => perm[name]);
    const mayShare = perm.admin || (perm.share && perm.download);
    return { flow, client, address, isNear, mayWrite, mayShare };
  }, "not_found");
}

/** Begins the sign-in of a client (Login Flow v2): the link for its user, and where to ask. */
export const beginLoginFlow = forClient(async (ctx) => {
  const name = clientNameOf(ctx.req.headers.get("user-agent") ?? "");
  const { login, poll } = await loginFlowsOf(ctx).begin(name, ctx.state.address);
  const begun = {
    poll: { token: poll, endpoint: publicAddress(ctx, "/index.php/login/v2/poll") },
    login: publicAddress(ctx, `${pagePath}/${login}`),
  };
  return jsonAnswer(begun, { headers: noStore });
});

/** Answers a client that asks whether its user has consented: 404 until then, and afterwards. */
export const pollLoginFlow = forClient(async (ctx) => {
  const flows = loginFlowsOf(ctx);
  const form = new URLSearchParams(new TextDecoder().decode(await readBody(ctx, { bytes: 1024 })));
  // The app for iOS sends it in the query.
  const taken = await flows.take(form.get("token") ?? ctx.url.searchParams.get("token") ?? "");
  if (!taken) return jsonAnswer([], { status: 404, headers: noStore });
  const { user, token, secret } = taken;
  const settings = await ctx.state.cubby.settings.get();
  const by = { id: user.id, name: user.username };
  recordActivity(ctx, "token_add", { subject: token.name, user: by, settings });
  const result = {
    server: publicAddress(ctx, ""),
    loginName: user.username,
    appPassword: secret,
  };
  ctx.state.hasToken = true;
  return jsonAnswer(result, { headers: noStore });
});

/** Answers refusals in a sentence or in JSON: a client shows no page. */
function forClient(answer: (ctx: Context<State>) => Promise<Response>): typeof answer {
  return async (ctx) => {
    try {
      return await answer(ctx);
    } catch (error) {
      if (error instanceof DomainError) return errorResponse(error, ctx.req);
      throw error;
    }
  };
}
