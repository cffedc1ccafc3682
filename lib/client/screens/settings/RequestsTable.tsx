import { useTranslation } from "react-i18next";
import { isoOf } from "../../../shared/time.ts";
import { Link, LockKeyhole, Pencil, Trash2 } from "lucide";
import { IconButton } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import type { RequestInfo } from "../../../shared/schemas/request.ts";
import type { Clock } from "../../../shared/clock.ts";
import type { RequestItem } from "../../../shared/settings_data.ts";
import { encodePath, parsePath } from "../../../shared/path.ts";
import { copyText } from "../../base/core/copy_text.ts";
import { formatRelative } from "../../base/core/format.ts";
import type { ListPage } from "../../../shared/list_page.ts";
import { PagedTable } from "../../base/ui/lists/PagedTable.tsx";
import { useList } from "../../base/ui/lists/use_list.ts";
import { usePage } from "../../base/core/page.ts";
import { useClock } from "../../base/core/use_clock.ts";
import { usePrompts, useToasts } from "../../base/core/use_site.ts";
import { requestNotes } from "../../files_page/sharing/request_notes.ts";
import { useShareApi } from "../../files_page/sharing/share_api.ts";
import { useSending } from "./use_sending.ts";

interface RequestsTableProps {
  requests: ListPage<RequestItem>;
  clock: Clock;
  /** The user's own alone. */
  own?: boolean;
}

/** The user's own requests for files, or everyone's with their owners: what has arrived, and actions. */
export function RequestsTable({ requests, clock, own = false }: RequestsTableProps) {
  const { t, i18n: { language } } = useTranslation();
  const { config: { BaseURL }, user } = usePage().data;
  const hasOwners = !own && user?.perm.admin === true;
  const { now } = useClock(clock);
  const api = useShareApi();
  const prompts = usePrompts();
  const toasts = useToasts();
  const sending = useSending();
  const shown = useList(requests, "GET /api/requests", {
    name: "requests-",
    query: { own: own || undefined },
  });

  const copy = async ({ hash }: RequestInfo) => {
    if (await copyText(api.requestLink(hash))) toasts.success(t("toasts.linkCopied"));
    else toasts.error(t("sharing.noCopy"));
  };
  const edit = async (request: RequestInfo) => {
    const changed = await prompts.open("requestEdit", { request });
    if (!changed) return;
    shown.change((before) =>
      before.map((each) => each.hash === changed.hash ? { ...each, ...changed } : each)
    );
    toasts.success(t("links.saved"));
  };
  const remove = async ({ hash }: RequestInfo) => {
    if (!await prompts.open("confirm", { title: t("request.deleteSure") })) return;
    const answer = await sending.send(() => api.endRequest(hash), { password: "never" });
    if (!answer.ok && answer.status !== 404) return;
    shown.change((before) => before.filter((each) => each.hash !== hash));
  };

  return (
    <PagedTable
      list={shown}
      name="requests-"
      empty={null}
      id="requests"
      title={t("request.list")}
      columns={[
        t("settings.shares.path"),
        t("settings.shares.duration"),
        ...hasOwners ? [t("login.username")] : [],
      ]}
      row={(request) => {
        const { hash, path, title, expire, hasPassword, userID, username } = request;
        // The folder of another is at another path here, if anywhere.
        const isOwn = userID === user?.id;
        const notes = requestNotes(t, language, request, now);
        const end = isoOf(expire * 1000);
        return (
          <tr key={hash}>
            <td className="table__main">
              <a
                className="table__link"
                href={isOwn
                  ? `${BaseURL}/files${encodePath(parsePath(path).path, { folder: true })}`
                  : `${BaseURL}/request/${hash}`}
                dir="auto"
              >
                {path}
              </a>
              {hasPassword && (
                <span className="table__lock" title={t("sharing.passwordToo")}>
                  <Icon glyph={LockKeyhole} />
                  <span className="unseen">{t("sharing.passwordToo")}</span>
                </span>
              )}
              <span className="table__uses">
                {[...title === "" ? [] : [title], ...notes].join(" · ")}
              </span>
            </td>
            <td className="table__size" data-label={t("settings.shares.duration")}>
              {expire === 0 ? t("sharing.never") : formatRelative(end, language, now)}
            </td>
            {hasOwners && (
              <td data-label={t("login.username")}>
                <bdi>{username}</bdi>
              </td>
            )}
            <td className="table__acts">
              <IconButton
                label={t("settings.shares.copy", { path })}
                glyph={Link}
                onClick={() => void copy(request)}
              />
              <IconButton
                label={t("request.editOf", { path })}
                glyph={Pencil}
                onClick={() => void edit(request)}
              />
              <IconButton
                label={t("request.deleteOf", { path })}
                glyph={Trash2}
                onClick={() => void remove(request)}
              />
            </td>
          </tr>
        );
      }}
    />
  );
}
