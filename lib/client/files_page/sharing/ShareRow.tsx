import { useTranslation } from "react-i18next";
import { isoOf } from "../../../shared/time.ts";
import {
  Check,
  Download,
  Globe,
  LockKeyhole,
  Pencil,
  QrCode as QrGlyph,
  Share,
  Trash2,
  Users,
} from "lucide";
import { useState } from "react";
import type { ShareWithToken } from "../../../shared/schemas/share.ts";
import { copyText } from "../../base/core/copy_text.ts";
import { formatRelative } from "../../base/core/format.ts";
import { lazy } from "../../base/core/lazy.ts";
import { useLazy, useToasts } from "../../base/core/use_site.ts";
import { QrCode } from "./QrCode.tsx";
import { LinkLine } from "./LinkLine.tsx";
import { useMaxLinkRight } from "./AccessFields.tsx";
import { accessNote, shareNotes } from "./share_notes.ts";
import { useShareApi } from "./share_api.ts";
import { useKeptFocus } from "../../base/core/focus.ts";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";

const codes = lazy(() => import("./qr_outline.ts"));

interface ShareRowProps {
  share: ShareWithToken;
  /** The name of the shared entry. */
  name: string;
  isFirst: boolean;
  /** Set for a link that was just made: whether it is on the clipboard. */
  made?: { isCopied: boolean };
  busy: boolean;
  onEdit: () => void;
  onEnd: () => void;
}

/** One share: whom it is for, its address, its expiry and its actions. */
export function ShareRow({ share, name, isFirst, made, busy, onEdit, onEnd }: ShareRowProps) {
  const { t, i18n: { language } } = useTranslation();
  const links = useShareApi().links(share, share.token);
  const most = useMaxLinkRight();
  const toasts = useToasts();
  const [isDownloadCopied, setDownloadCopied] = useState(false);
  const [isSure, setSure] = useState(false);
  const end = useKeptFocus<HTMLDivElement>(isSure);
  const [hasCode, setCode] = useState(false);
  const code = useLazy(codes, hasCode);
  const lasts = share.expire === 0 ? t("sharing.neverExpires") : t("sharing.expires", {
    when: formatRelative(isoOf(share.expire * 1000), language),
  });
  const copyDownload = async () => {
    const isCopied = await copyText(links.download);
    setDownloadCopied(isCopied);
    if (!isCopied) toasts.error(t("sharing.noCopy"));
  };

  return (
    <li className="links__row">
      <p className="links__who">
        <Icon glyph={share.audience && !share.anyone ? Users : Globe} />
        <bdi>{accessNote(t, language, share, most)}</bdi>
      </p>
      <LinkLine link={links.page} focused={isFirst} made={made} />
      <p className="links__note">
        {share.hasPassword && (
          <span className="links__lock" title={t("sharing.passwordToo")}>
            <Icon glyph={LockKeyhole} />
            {t("sharing.passwordToo")}
          </span>
        )}
        {lasts}
        {shareNotes(t, language, share).map((note) => <span key={note}>{note}</span>)}
      </p>
      <div ref={end} className="links__end">
        {isSure
          ? (
            <div className="links__sure" role="group" aria-label={t("sharing.deleteSure")}>
              <span>{t("sharing.deleteSure")}</span>
              <Button onClick={() => setSure(false)}>{t("buttons.cancel")}</Button>
              <Button variant="danger" aria-busy={busy} onClick={onEnd}>
                {t("buttons.delete")}
              </Button>
            </div>
          )
          : (
            <div className="links__acts">
              {"share" in navigator && (
                <IconButton
                  label={t("sharing.send")}
                  glyph={Share}
                  onClick={() => void sendBySystem(name, links.page)}
                />
              )}
              <IconButton
                label={t("share.code")}
                glyph={QrGlyph}
                aria-expanded={hasCode}
                onClick={() => setCode(!hasCode)}
              />
              <IconButton label={t("links.edit")} glyph={Pencil} onClick={onEdit} />
              {!share.viewOnly && (
                <IconButton
                  label={isDownloadCopied
                    ? t("sharing.copied")
                    : t(share.hasPassword ? "sharing.copyOpenDownload" : "sharing.copyDownload")}
                  glyph={isDownloadCopied ? Check : Download}
                  onClick={() => void copyDownload()}
                />
              )}
              <IconButton
                label={t("sharing.delete")}
                glyph={Trash2}
                onClick={() => setSure(true)}
              />
            </div>
          )}
      </div>
      {hasCode && code && (
        <QrCode path={code.qrPath(links.page)} label={t("share.codeOf", { link: links.page })} />
      )}
      <span className="unseen" role="status">{isDownloadCopied && t("sharing.copied")}</span>
    </li>
  );
}

/** Hands a link to the system, which offers apps to send it by. */
async function sendBySystem(title: string, url: string): Promise<void> {
  // A refusal means that the user has closed the system's dialog.
  await navigator.share({ title, url }).catch(() => {});
}
