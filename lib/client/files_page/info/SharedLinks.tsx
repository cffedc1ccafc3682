import { useTranslation } from "react-i18next";
import { isoOf } from "../../../shared/time.ts";
import { LockKeyhole, Trash2 } from "lucide";
import { useState } from "react";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import type { EntryPath } from "../../../shared/path.ts";
import { formatRelative } from "../../base/core/format.ts";
import { usePrompts } from "../../base/core/use_site.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { useShareApi } from "../sharing/share_api.ts";
import { useShares } from "../sharing/use_shares.ts";
import { CopyButton } from "./CopyButton.tsx";
import { useKeptFocus } from "../../base/core/focus.ts";

/** The share links to an entry: each can be copied, and ended. Nothing for an entry without any. */
export function SharedLinks({ entry }: { entry: EntryPath }) {
  const { t, i18n: { language } } = useTranslation();
  const { listing } = useFiles();
  const isSharing = usePrompts().current.value?.kind === "share";
  const { list, busy, end } = useShares(entry, isSharing);
  const links = useShareApi();
  const [sure, setSure] = useState("");
  const part = useKeptFocus<HTMLElement>(sure);
  if (!list || list.length === 0) return null;
  const finish = async (hash: string) => {
    await end(hash);
    setSure("");
    // The rows show what is shared.
    await listing.reload();
  };
  return (
    <section ref={part} aria-labelledby="shared-links">
      <h3 className="prompt__subtitle" id="shared-links">{t("info.shares")}</h3>
      <ul>
        {list.map(({ hash, name, expire, hasPassword }) => {
          const lasts = expire === 0 ? t("sharing.neverExpires") : t("sharing.expires", {
            when: formatRelative(isoOf(expire * 1000), language),
          });
          return (
            <li className="info__line" key={hash}>
              {sure === hash
                ? (
                  <div className="info__sure" role="group" aria-label={t("sharing.deleteSure")}>
                    <span>{t("sharing.deleteSure")}</span>
                    <Button onClick={() => setSure("")}>{t("buttons.cancel")}</Button>
                    <Button variant="danger" aria-busy={busy} onClick={() => void finish(hash)}>
                      {t("buttons.delete")}
                    </Button>
                  </div>
                )
                : (
                  <>
                    <span className="info__words">
                      <span className="info__link" dir="ltr">/share/{name ?? hash}</span>
                      <small>
                        {hasPassword && <Icon glyph={LockKeyhole} />}
                        {hasPassword && <span className="unseen">{t("sharing.passwordToo")}</span>}
                        {lasts}
                      </small>
                    </span>
                    <CopyButton
                      label={t("sharing.copyLink")}
                      text={links.links({ hash, name }).page}
                    />
                    <IconButton
                      label={t("sharing.delete")}
                      glyph={Trash2}
                      onClick={() => setSure(hash)}
                    />
                  </>
                )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
