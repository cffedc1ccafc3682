import { CircleCheck, type IconNode, KeyRound, Share2, Upload, UserPlus, X } from "lucide";
import type { ReactNode } from "react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ROOT } from "../../../shared/path.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { usePage } from "../../base/core/page.ts";
import { useApi, useToasts } from "../../base/core/use_site.ts";
import { UPLOAD_MENU } from "../uploads/UploadMenu.tsx";
import { IconButton } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { useFiles } from "../../base/files/use_files.ts";

/** First steps for the administrator of a new server, above the root folder. */
export function FirstSteps() {
  const { t } = useTranslation();
  const { firstSteps: steps, user, config } = usePage().data;
  const { listing } = useFiles();
  const api = useApi();
  const toasts = useToasts();
  const [isHidden, setHidden] = useState(false);
  if (!steps || !user || isHidden || listing.path.value !== ROOT) return null;
  const hide = async () => {
    const answer = await api.changeUser(user.id, { firstSteps: false });
    if (answer.ok) setHidden(true);
    else toasts.error(reasonOf(t, answer));
  };
  const settings = `${config.BaseURL}/settings`;
  return (
    <section className="first" aria-label={t("first.title")}>
      <h2 className="first__title">{t("first.title")}</h2>
      <IconButton
        className="first__hide"
        label={t("first.hide")}
        glyph={X}
        onClick={() => void hide()}
      />
      <ul className="first__steps">
        {steps.password === false && (
          <Step name="password" glyph={KeyRound} done={false}>
            {(content) => <a className="first__way" href={`${settings}/profile`}>{content}</a>}
          </Step>
        )}
        <Step name="upload" glyph={Upload} done={steps.upload || listing.rows.value.total > 0}>
          {(content) => (
            <button type="button" className="first__way" popovertarget={UPLOAD_MENU}>
              {content}
            </button>
          )}
        </Step>
        <Step name="user" glyph={UserPlus} done={steps.user}>
          {(content) => <a className="first__way" href={`${settings}/users/new`}>{content}</a>}
        </Step>
        <Step name="share" glyph={Share2} done={steps.share}>
          {(content) => <div className="first__way">{content}</div>}
        </Step>
      </ul>
    </section>
  );
}

interface StepProps {
  name: "password" | "upload" | "user" | "share";
  glyph: IconNode;
  done: boolean;
  /** Leads there. */
  children: (content: ReactNode) => ReactNode;
}

function Step({ name, glyph, done, children }: StepProps) {
  const { t } = useTranslation();
  return (
    <li className="first__step" data-done={done || undefined}>
      {children(
        <>
          <Icon glyph={done ? CircleCheck : glyph} />
          <span>
            <strong className="first__name">{t(`first.${name}`)}</strong>
            <span className="first__text">{done ? t("first.done") : t(`first.${name}Text`)}</span>
          </span>
        </>,
      )}
    </li>
  );
}
