import { type Context, page } from "fresh";
import { asset, Head } from "fresh/runtime";
import { RequestArea } from "../../islands/RequestArea.tsx";
import type { RequestPageProps } from "../../lib/client/screens/request_page/RequestPage.tsx";
import { DeadLink } from "../../lib/client/screens/share_page/ShareGate.tsx";
import { StagePage } from "../../lib/client/base/ui/PageRoot.tsx";
import { define, type State } from "../../lib/server/http/define.ts";
import { widgetSources } from "../../lib/server/http/request/auth/captcha.ts";
import { openRequest } from "../../lib/server/http/request/file_requests.ts";
import { serverClock } from "../../lib/server/http/request/server_clock.ts";
import { statusOf } from "../../lib/server/http/openapi/statuses.ts";
import { openPage } from "../../lib/server/http/pages/open_page.ts";
import { readPasswordForm } from "../../lib/server/http/request/share_requests.ts";
import { DomainError, type ErrorCode } from "../../lib/shared/errors.ts";
import { failure } from "../../lib/shared/result.ts";

/** The page of a request for files, for visitors with the link. */
export const handler = define.handlers({
  GET: (ctx) => show(ctx),
  /** The form of the password, which is sent by the browser before the page is hydrated. */
  POST: async (ctx) => await show(ctx, await readPasswordForm(ctx.req)),
});

/** @param password that was sent */
async function show(ctx: Context<State>, password?: string) {
  const { recaptcha } = ctx.state.cubby.config;
  if (recaptcha) ctx.state.others = widgetSources(recaptcha);
  const shown = await begin(ctx, password).catch((error) => {
    if (error instanceof DomainError) return { status: statusOf(error.code) };
    throw error;
  });
  const headers = { "cache-control": "no-store", "x-robots-tag": "noindex, nofollow" };
  const status = "status" in shown ? shown.status : shown.refusal?.status ?? 200;
  const opened = await openPage(ctx);
  // Also where users sign in elsewhere alone, without one.
  opened.data.config.ReCaptcha = recaptcha !== undefined;
  return page({ page: opened, shown }, { status, headers });
}

/** The props of the page; nothing of the request before the password or the captcha. */
async function begin(ctx: Context<State>, password?: string): Promise<RequestPageProps> {
  const { config, requests } = ctx.state.cubby;
  const { hash, passwordHash } = await requests.get(ctx.params.hash ?? "");
  const asksPassword = passwordHash !== null;
  const asksCaptcha = config.recaptcha !== undefined;
  const gate = { hash, open: null, refusal: null, asksPassword, clock: serverClock(ctx.req) };
  if ((asksPassword || asksCaptcha) && password === undefined) return gate;
  try {
    // A captcha needs the script of the page.
    const captcha = asksCaptcha ? () => Promise.resolve(false) : null;
    return { ...gate, open: await openRequest(ctx, hash, { password: password ?? "", captcha }) };
  } catch (error) {
    if (!(error instanceof DomainError && isAskedAgain(error.code))) throw error;
    const { code, message, retryAfter } = error;
    return { ...gate, refusal: { ...failure(statusOf(code), code, message), retryAfter } };
  }
}

function isAskedAgain(code: ErrorCode): boolean {
  return code === "password_required" || code === "wrong_credentials" || code === "throttled";
}

/** The place to drop files, or the reason of a refusal. */
export default define.page<typeof handler>(function RequestPage({ data, config }) {
  const { page, shown } = data;
  const { t } = page.i18n;
  return (
    <StagePage page={page} title={t("request.title")} islands wide>
      <Head>
        <link rel="stylesheet" href={asset(config.basePath + "/share.css")} />
      </Head>
      {"status" in shown
        ? <DeadLink status={shown.status} top={null} signIn={null} />
        : <RequestArea {...shown} />}
      <noscript>
        <p className="field__hint">{t("login.noScript")}</p>
      </noscript>
    </StagePage>
  );
});
