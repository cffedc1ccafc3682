import { Check, Download, Link, LockKeyhole, Trash2 } from "lucide";
import { useState } from "react";
import type { ShareWithToken } from "../../shared/api_types.ts";
import { copyText } from "../core/copy_text.ts";
import { formatRelative } from "../core/format.ts";
import { useShareApi } from "./use_share_api.ts";
import { useTranslation } from "../core/use_translation.ts";
import { Button, IconButton } from "../../../components/Button.tsx";
import { Icon } from "../../../components/Icon.tsx";

interface ShareRowProps {
  share: ShareWithToken;
  busy: boolean;
  onEnd: () => void;
}

/** One link: where it leads, how long it lasts, and what can be done with it. */
export function ShareRow({ share, busy, onEnd }: ShareRowProps) {
  const { t, language } = useTranslation();
  const links = useShareApi().links(share.hash, share.token);
  const [copied, setCopied] = useState("");
  const [isSure, setSure] = useState(false);
  const copy = async (text: string) => setCopied(await copyText(text) ? text : "");
  const expire = new Date(share.expire * 1000).toISOString();
  const lasts = share.expire === 0
    ? t("sharing.forEver")
    : t("sharing.expires", { when: formatRelative(expire, language) });

  return (
    <li className="links__row">
      <input
        className="field__input links__address"
        readOnly
        dir="ltr"
        value={links.page}
        aria-label={t("sharing.copyLink")}
        onFocus={(event) => event.currentTarget.select()}
      />
      <p className="links__note">
        {share.hasPassword && (
          <span className="links__lock" title={t("sharing.passwordToo")}>
            <Icon glyph={LockKeyhole} />
            {t("sharing.passwordToo")}
          </span>
        )}
        {lasts}
      </p>
      {isSure
        ? (
          <div className="links__sure" role="group" aria-label={t("sharing.deleteSure")}>
            <span>{t("sharing.deleteSure")}</span>
            <Button onClick={() => setSure(false)}>{t("buttons.cancel")}</Button>
            <Button look="danger" aria-busy={busy} autofocus onClick={onEnd}>
              {t("buttons.delete")}
            </Button>
          </div>
        )
        : (
          <div className="links__acts">
            <IconButton
              label={copied === links.page ? t("sharing.copied") : t("sharing.copyLink")}
              glyph={copied === links.page ? Check : Link}
              onClick={() => void copy(links.page)}
            />
            <IconButton
              label={copied === links.download
                ? t("sharing.copied")
                : t(share.hasPassword ? "sharing.copyOpenDownload" : "sharing.copyDownload")}
              glyph={copied === links.download ? Check : Download}
              onClick={() => void copy(links.download)}
            />
            <IconButton
              label={t("sharing.delete")}
              glyph={Trash2}
              onClick={() => setSure(true)}
            />
          </div>
        )}
      <span className="unseen" role="status">{copied && t("sharing.copied")}</span>
    </li>
  );
}
