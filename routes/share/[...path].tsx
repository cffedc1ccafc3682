import { type Context, page, type RouteConfig } from "fresh";
import { asset, Head } from "fresh/runtime";
import { PageRoot } from "../../lib/client/base/ui/PageRoot.tsx";
import {
  AddArea,
  EditArea,
  OfficeArea,
  PlayMusic,
  SharedViewer,
} from "../../islands/RequestArea.tsx";
import { DeadLink, SharePassword } from "../../lib/client/screens/share_page/ShareGate.tsx";
import { SharedEntry } from "../../lib/client/screens/share_page/SharedEntry.tsx";
import type { Page, SharePageData } from "../../lib/shared/page_data.ts";
import type { Entry, Resource } from "../../lib/shared/schemas/entry.ts";
import type { Clock } from "../../lib/shared/clock.ts";
import { define, type State } from "../../lib/server/http/define.ts";
import { DomainError, type ErrorCode } from "../../lib/shared/errors.ts";
import { shareCookie } from "../../lib/server/http/request/auth/cookies.ts";
import { readPasswordForm } from "../../lib/server/http/request/share_requests.ts";
import { cookieScope } from "../../lib/server/http/response/session_answers.ts";
import { statusOf } from "../../lib/server/http/openapi/statuses.ts";
import { openPage } from "../../lib/server/http/pages/open_page.ts";
import { redirect } from "../../lib/server/http/pages/redirects.ts";
import { serverClock } from "../../lib/server/http/request/server_clock.ts";
import { admitsEditor } from "../../lib/server/http/pages/office_page.ts";
import { officeQuery } from "../../lib/client/base/files/office_link.ts";
import { opensInOffice } from "../../lib/client/screens/share_page/share_links.ts";
import { shareData, sharedWords, viewerData } from "../../lib/server/http/pages/share_data.ts";

/** A trailing slash matches as well, which the file's name alone does not. */
export const config: RouteConfig = { routeOverride: "/share/*?" };

/** The page of a share, for visitors with the link; it works without scripts. */
export const handler = define.handlers({
  GET: (ctx) => show(ctx),
  async POST(ctx) {
    const typed = await readPasswordForm(ctx.req);
    const shown = await shareData(ctx, typed).catch((error) => refusalOf(error));
    if ("code" in shown) return await show(ctx, { ...shown, typed: true });
    const answer = redirect(ctx.url.pathname + ctx.url.search);
    if (shown.token !== "") {
      const { hash, token } = shown;
      answer.headers.append("set-cookie", shareCookie(token, hash, cookieScope(ctx)));
    }
    return answer;
  },
});

/** The reason why nothing is shown. */
interface Refusal {
  code: ErrorCode;
  /** The typed password was wrong. */
  typed?: boolean;
  retryAfter?: number;
}

interface ShareContent {
  page: Page;
  clock: Clock;
  shown: SharePageData | Refusal;
  /** The document is open in the office server. */
  isInOffice: boolean;
}

async function show(ctx: Context<State>, refusal?: Refusal) {
  const shown = refusal ?? await shareData(ctx).catch(refusalOf);
  const isInOffice = !("code" in shown) && opensEditor(ctx, shown);
  const content: ShareContent = {
    page: await openSharedPage(ctx, shown, isInOffice),
    clock: serverClock(ctx.req),
    ...{ shown, isInOffice },
  };
  const headers = new Headers({ "cache-control": "no-store", "x-robots-tag": "noindex, nofollow" });
  if ("code" in shown && shown.retryAfter) headers.set("retry-after", String(shown.retryAfter));
  return page(content, { status: "code" in shown ? statusOf(shown.code) : 200, headers });
}

async function openSharedPage(
  ctx: Context<State>,
  shown: SharePageData | Refusal,
  isInOffice: boolean,
): Promise<Page> {
  const { data, i18n } = await openPage(ctx, "code" in shown ? {} : viewerData(shown, isInOffice));
  return { data: { ...data, words: sharedWords(data.words) }, i18n };
}

/** Whether the page is one of the office server, and may be: see `admitsEditor`. */
function opensEditor(ctx: Context<State>, shown: SharePageData): boolean {
  return ctx.url.searchParams.has(officeQuery) &&
    opensInOffice(shown, { EnableOffice: true }) && admitsEditor(ctx, shown.resource);
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof DomainError)) throw error;
  return { code: error.code, retryAfter: error.retryAfter };
}

/** The page of a share: the entry, the form for the password, or the reason of a refusal. */
export default define.page<typeof handler>(function SharePage({ data, url }) {
  const { page, clock, shown, isInOffice } = data;
  const { t } = page.i18n;
  const { Name } = page.data.config;
  const title = "code" in shown ? t("share.title") : shown.resource.name;
  return (
    <PageRoot
      page={page}
      title={`${title} - ${Name}`}
      islands={!("code" in shown) &&
        (page.data.share !== undefined || shown.mayAdd || shown.mayEdit)}
    >
      {isInOffice && !("code" in shown)
        ? <OfficeFrame page={page} entry={fileOf(shown)} />
        : "code" in shown
        ? (
          <main className="stage">
            <div className="stage__card">
              {isAsking(shown) ? <SharePassword refusal={shown} /> : (
                <DeadLink
                  status={statusOf(shown.code)}
                  top={topOf(url, page)}
                  signIn={shown.code === "not_found" ? signInFor(url, page) : null}
                />
              )}
            </div>
            <p className="stage__foot">{Name}</p>
          </main>
        )
        : (
          <SharedEntry
            shown={shown}
            clock={clock}
            viewer={page.data.share && (
              <SharedViewer clock={clock} isFile={!shown.resource.isDir} />
            )}
            player={page.data.share && hasMusic(shown) && <PlayMusic folder={folderOf(shown)} />}
            adding={shown.mayAdd &&
              <AddArea hash={shown.hash} token={shown.token} path={shown.resource.path} />}
            editing={shown.mayEdit && (
              <EditArea
                hash={shown.hash}
                token={shown.token}
                name={shown.name}
                path={shown.resource.path}
                isDir={shown.resource.isDir}
              />
            )}
          />
        )}
    </PageRoot>
  );
});

function isAsking({ code }: Refusal): boolean {
  return code === "password_required" || code === "throttled";
}

/** The page of the whole share, where an address leads below it; null at the top. */
function topOf(url: URL, { data: { config } }: Page): string | null {
  const [hash = "", ...rest] = url.pathname.slice(`${config.BaseURL}/share/`.length).split("/");
  return rest.some((segment) => segment !== "") ? `${config.BaseURL}/share/${hash}/` : null;
}

/**
 * The sign-in form that leads back to this address; null for a user, and where shares show no way
 * to sign in. The same for all addresses without a share, so that those for users alone are not
 * revealed.
 */
function signInFor({ pathname }: URL, { data: { config, user } }: Page): string | null {
  if (user || !config.LoginPage || config.HideLoginButton) return null;
  return `${config.BaseURL}/login?${new URLSearchParams({ redirect: pathname })}`;
}

/** The page of a document in the office server; the island fills it. */
function OfficeFrame({ page, entry }: { page: Page; entry: Resource }) {
  return (
    <>
      <Head>
        <link rel="stylesheet" href={asset(`${page.data.config.BaseURL}/office.css`)} />
      </Head>
      <OfficeArea entry={entry} />
    </>
  );
}

/** The file on the page, without its text. */
function fileOf({ resource: { content: _, ...file } }: SharePageData): Resource {
  return file;
}

/** Whether a folder has music among what the page lists. */
function hasMusic({ resource }: SharePageData): boolean {
  return resource.items?.some(({ type }) => type === "audio") ?? false;
}

/** The folder on the page, without its entries. */
function folderOf({ resource: { items: _, ...folder } }: SharePageData): Entry {
  return folder;
}
