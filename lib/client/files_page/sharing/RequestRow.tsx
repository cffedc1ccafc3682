import { useTranslation } from "react-i18next";
import { isoOf } from "../../../shared/time.ts";
import { Link, LockKeyhole, Pencil, Trash2 } from "lucide";
import { useEffect, useRef, useState } from "react";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import type { RequestInfo } from "../../../shared/schemas/request.ts";
import { copyText } from "../../base/core/copy_text.ts";
import { formatRelative } from "../../base/core/format.ts";
import { useToasts } from "../../base/core/use_site.ts";
import { useKeptFocus } from "../../base/core/focus.ts";
import { requestNotes } from "./request_notes.ts";
import { useShareApi } from "./share_api.ts";

interface RequestRowProps {
  request: RequestInfo;
  isFirst: boolean;
  onEdit: () => void;
  onEnd: () => void;
}

/** One request for files: its address, what it has received, and its actions. */
export function RequestRow({ request, isFirst, onEdit, onEnd }: RequestRowProps) {
  const { t, i18n: { language } } = useTranslation();
  const toasts = useToasts();
  const link = useShareApi().requestLink(request.hash);
  const copying = useRef<HTMLButtonElement>(null);
  const [isSure, setSure] = useState(false);
  const row = useKeptFocus<HTMLLIElement>(isSure);
  const lasts = request.expire === 0 ? t("sharing.neverExpires") : t("sharing.expires", {
    when: formatRelative(isoOf(request.expire * 1000), language),
  });
  // The form that made it had the focus, and is gone.
  useEffect(() => {
    if (isFirst) copying.current?.focus();
  }, []);
  const copy = async () => {
    if (await copyText(link)) toasts.success(t("toasts.linkCopied"));
    else toasts.error(t("sharing.noCopy"));
  };
  return (
    <li ref={row} className="links__row">
      <input
        className="field__input links__address"
        readOnly
        dir="ltr"
        value={link}
        aria-label={t("sharing.copyLink")}
        onFocus={(event) => event.currentTarget.select()}
      />
      <p className="links__note">
        {request.title !== "" && <bdi>{request.title}</bdi>}
        {request.hasPassword && (
          <span className="links__lock">
            <Icon glyph={LockKeyhole} />
            {t("sharing.passwordToo")}
          </span>
        )}
        {[lasts, ...requestNotes(t, language, request)].map((note) => <span key={note}>{note}
        </span>)}
      </p>
      {isSure
        ? (
          <div className="links__sure" role="group" aria-label={t("request.deleteSure")}>
            <span>{t("request.deleteSure")}</span>
            <Button onClick={() => setSure(false)}>{t("buttons.cancel")}</Button>
            <Button variant="danger" onClick={onEnd}>{t("buttons.delete")}</Button>
          </div>
        )
        : (
          <div className="links__acts">
            <Button
              className="links__copy"
              glyph={Link}
              buttonRef={copying}
              onClick={() => void copy()}
            >
              {t("sharing.copyLink")}
            </Button>
            <IconButton label={t("request.edit")} glyph={Pencil} onClick={onEdit} />
            <IconButton
              label={t("request.delete")}
              glyph={Trash2}
              onClick={() => setSure(true)}
            />
          </div>
        )}
    </li>
  );
}
