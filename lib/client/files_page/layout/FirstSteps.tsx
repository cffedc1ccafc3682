import { type IconNode, KeyRound, ListChecks, Share2, Upload, UserPlus, X } from "lucide";
import type { ReactNode } from "react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ROOT } from "../../../shared/path.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { usePage } from "../../base/core/page.ts";
import { useApi, useToasts } from "../../base/core/use_site.ts";
import { chooseFiles } from "../../base/files/page_dom.ts";
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
  const link = (to: string) => (content: ReactNode) => (
    <a className="first__way" href={settings + to}>{content}</a>
  );
  const hasUpload = steps.upload || listing.rows.value.total > 0;
  const all: (StepProps & { done: boolean })[] = [
    { name: "upload", glyph: Upload, done: hasUpload, children: uploadWay },
    { name: "user", glyph: UserPlus, done: steps.user, children: link("/users/new") },
    { name: "share", glyph: Share2, done: steps.share, children: plainWay },
  ];
  if (steps.password === false) {
    all.unshift({
      name: "password",
      glyph: KeyRound,
      done: false,
      children: link("/profile#password"),
    });
  }
  const left = all.filter(({ done }) => !done);
  if (left.length === 0) return null;
  const hasBegun = left.length < all.length;
  return (
    <section
      className={hasBegun ? "first first--begun" : "first"}
      aria-label={t("first.title")}
    >
      <h2 className="first__title">{t("first.title")}</h2>
      {hasBegun && (
        <p className="first__left">{t("first.left", { left: left.length, total: all.length })}</p>
      )}
      <ul className="first__steps">
        {left.map((step) => <Step key={step.name} {...step} isShort={hasBegun} />)}
        <Step name="check" glyph={ListChecks} isShort={hasBegun}>{link("/check")}</Step>
      </ul>
      <IconButton
        className="first__hide"
        label={t("first.hide")}
        glyph={X}
        onClick={() => void hide()}
      />
    </section>
  );
}

function uploadWay(content: ReactNode) {
  return (
    <button type="button" className="first__way" onClick={() => chooseFiles()}>{content}</button>
  );
}

function plainWay(content: ReactNode) {
  return <div className="first__way">{content}</div>;
}

interface StepProps {
  name: "password" | "upload" | "user" | "share" | "check";
  glyph: IconNode;
  /** Leads there. */
  children: (content: ReactNode) => ReactNode;
}

/** A card; once steps are done, those that are left are short. */
function Step({ name, glyph, children, isShort }: StepProps & { isShort: boolean }) {
  const { t } = useTranslation();
  return (
    <li className="first__step">
      {children(
        <>
          <Icon glyph={glyph} />
          <span>
            <strong className="first__name">{t(`first.${name}`)}</strong>
            {!isShort && <span className="first__text">{t(`first.${name}Text`)}</span>}
          </span>
        </>,
      )}
    </li>
  );
}
