import { useTranslation } from "react-i18next";
import { isoOf } from "../../../shared/time.ts";
import { Link, LockKeyhole, Pencil, Share2, Trash2 } from "lucide";
import { copyText } from "../../base/core/copy_text.ts";
import { formatRelative, isolated } from "../../base/core/format.ts";
import type { ListPage } from "../../../shared/list_page.ts";
import { PagedTable } from "../../base/ui/lists/PagedTable.tsx";
import { useList } from "../../base/ui/lists/use_list.ts";
import { usePage } from "../../base/core/page.ts";
import type { SharedItem } from "../../../shared/settings_data.ts";
import { useSending } from "./use_sending.ts";
import { useClock } from "../../base/core/use_clock.ts";
import type { Clock } from "../../../shared/clock.ts";
import { accessNote, shareNotes } from "../../files_page/sharing/share_notes.ts";
import { useShareApi } from "../../files_page/sharing/share_api.ts";
import { usePrompts, useToasts } from "../../base/core/use_site.ts";
import { IconButton } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { StatusScreen } from "../../../../components/StatusScreen.tsx";

/**
 * A list of shares, and what is done with one.
 *
 * @param own the user's own alone
 */
export function useShareList(shares: ListPage<SharedItem>, own: boolean) {
  const { t } = useTranslation();
  const { user } = usePage().data;
  const api = useShareApi();
  const prompts = usePrompts();
  const toasts = useToasts();
  const sending = useSending();
  const shown = useList(shares, "GET /api/shares", { query: { own: own || undefined } });

  const remove = async ({ hash, path }: SharedItem) => {
    const title = t("settings.shares.sure", { path });
    if (!await prompts.open("confirm", { title, text: t("settings.shares.sureText") })) return;
    const answer = await sending.send(() => api.end(hash), { password: "never" });
    if (!answer.ok && answer.status !== 404) return;
    shown.change((before) => before.filter((share) => share.hash !== hash));
    toasts.success(t("toasts.shareDeleted"));
  };
  const edit = async (share: SharedItem) => {
    const isOwn = own || share.userID === user?.id;
    const changed = await prompts.open("shareEdit", {
      share,
      isOwn,
      // The targets of others' shares are not known here.
      isFolder: share.state !== "file",
    });
    if (!changed) return;
    const { token: _, ...info } = changed;
    const { username, state } = share;
    // The target is known for the former path only.
    const kept = info.path === share.path ? { username, state } : { username };
    shown.change((before) =>
      before.map((each) => each.hash === share.hash ? { ...info, ...kept } : each)
    );
    toasts.success(t("links.saved"));
  };
  const copy = async (share: SharedItem) => {
    if (await copyText(api.links(share).page)) toasts.success(t("toasts.linkCopied"));
    else toasts.error(t("sharing.noCopy"));
  };

  return { shown, remove, edit, copy };
}

interface SharesTabProps {
  shares: ListPage<SharedItem>;
  clock: Clock;
}

/** All shares: the user's own, or for administrators everyone's. */
export function SharesTab({ shares, clock }: SharesTabProps) {
  const { t } = useTranslation();
  const isAdmin = usePage().data.user?.perm.admin ?? false;
  const { shown, remove, edit, copy } = useShareList(shares, false);
  return (
    <PagedTable
      list={shown}
      empty={
        <StatusScreen
          glyph={Share2}
          title={t("files.emptyTitle")}
          text={t("settings.shares.emptyText")}
        />
      }
      id="shares"
      title={t("settings.tabs.shares")}
      columns={[
        t("settings.shares.path"),
        t("settings.shares.duration"),
        ...isAdmin ? [t("login.username")] : [],
      ]}
      row={(share) => (
        <ShareLine
          key={share.hash}
          share={share}
          clock={clock}
          owner={isAdmin ? share.username ?? "" : undefined}
          onCopy={() => void copy(share)}
          onEdit={() => void edit(share)}
          onRemove={() => void remove(share)}
        />
      )}
    />
  );
}

interface ShareLineProps {
  share: SharedItem;
  clock: Clock;
  /** Absent for the user's own shares. */
  owner?: string;
  onCopy: () => void;
  onEdit: () => void;
  onRemove: () => void;
}

function ShareLine({ share, clock, owner, onCopy, onEdit, onRemove }: ShareLineProps) {
  const { t, i18n: { language } } = useTranslation();
  const { BaseURL, MaxLinkRight = "edit" } = usePage().data.config;
  const { now } = useClock(clock);
  const isPlain = !share.audience && !share.anyoneMay && MaxLinkRight !== "view";
  const notes = [
    ...share.name === undefined ? [] : [isolated(`/share/${share.name}`)],
    ...isPlain ? [] : [accessNote(t, language, share, MaxLinkRight)],
    ...shareNotes(t, language, share, now),
  ];
  const expire = isoOf(share.expire * 1000);
  return (
    <tr>
      <td className="table__main">
        <a
          className="table__link"
          href={`${BaseURL}/share/${share.name ?? share.hash}`}
          dir="auto"
        >
          {share.path}
        </a>
        {share.hasPassword && (
          <span className="table__lock" title={t("sharing.passwordToo")}>
            <Icon glyph={LockKeyhole} />
            <span className="unseen">{t("sharing.passwordToo")}</span>
          </span>
        )}
        {notes.length > 0 && <span className="table__uses">{notes.join(" · ")}</span>}
      </td>
      <td className="table__size" data-label={t("settings.shares.duration")}>
        {share.expire === 0 ? t("sharing.never") : formatRelative(expire, language, now)}
      </td>
      {owner !== undefined && (
        <td data-label={t("login.username")}>
          <bdi>{owner}</bdi>
        </td>
      )}
      <td className="table__acts">
        <IconButton
          label={t("settings.shares.copy", { path: share.path })}
          glyph={Link}
          onClick={onCopy}
        />
        <IconButton
          label={t("links.editOf", { path: share.path })}
          glyph={Pencil}
          onClick={onEdit}
        />
        <IconButton
          label={t("settings.shares.delete", { path: share.path })}
          glyph={Trash2}
          onClick={onRemove}
        />
      </td>
    </tr>
  );
}
