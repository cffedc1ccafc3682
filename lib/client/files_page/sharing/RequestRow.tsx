import { useTranslation } from "react-i18next";
import { isoOf } from "../../../shared/time.ts";
import { LockKeyhole, Pencil, Trash2 } from "lucide";
import { useState } from "react";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import type { RequestInfo } from "../../../shared/schemas/request.ts";
import { formatRelative } from "../../base/core/format.ts";
import { useKeptFocus } from "../../base/core/focus.ts";
import { LinkLine } from "./LinkLine.tsx";
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
  const link = useShareApi().requestLink(request.hash);
  const [isSure, setSure] = useState(false);
  const end = useKeptFocus<HTMLDivElement>(isSure);
  const lasts = request.expire === 0 ? t("sharing.neverExpires") : t("sharing.expires", {
    when: formatRelative(isoOf(request.expire * 1000), language),
  });
  return (
    <li className="links__row">
      <LinkLine link={link} focused={isFirst} />
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
      <div ref={end} className="links__end">
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
              <IconButton label={t("request.edit")} glyph={Pencil} onClick={onEdit} />
              <IconButton
                label={t("request.delete")}
                glyph={Trash2}
                onClick={() => setSure(true)}
              />
            </div>
          )}
      </div>
    </li>
  );
}
