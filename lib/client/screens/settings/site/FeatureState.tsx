import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { usePage } from "../../../base/core/page.ts";

/** What turns features on: an option of the start, or the part of the settings. */
const options = {
  mail: "--mail-host HOST --mail-from ADDRESS",
  webhooks: "--webhooks",
  webdav: "--webdav",
  commands: "--disable-exec=false",
  contents: null,
  office: "--office-url URL",
} as const;

interface FeatureStateProps {
  name: keyof typeof options;
  isOn: boolean;
  /** Shown where it is on. */
  children?: ReactNode;
}

/** What a feature is, and whether it is on; where it is off, how it is turned on. */
export function FeatureState({ name, isOn, children }: FeatureStateProps) {
  const { t } = useTranslation();
  const words = {
    mail: { name: t("features.mail"), text: t("features.mailText") },
    webhooks: { name: t("webhooks.title"), text: t("webhooks.text") },
    webdav: { name: t("drive.title"), text: t("features.webdavText") },
    commands: { name: t("settings.commands"), text: t("features.commandsText") },
    office: { name: t("features.office"), text: t("features.officeText") },
    contents: { name: t("contents.enabled"), text: t("contents.enabledHint") },
  }[name];
  return (
    <section className="feature" aria-labelledby={`feature-${name}`}>
      <h3 className="feature__name" id={`feature-${name}`}>
        {words.name}
        <span className="badge" data-off={!isOn || undefined}>
          {t(isOn ? "features.on" : "features.off")}
        </span>
      </h3>
      <p className="card__text">{words.text}</p>
      {isOn ? children : <HowToStart name={name} />}
    </section>
  );
}

/** The option that turns a feature on, or the way to the setting. */
export function HowToStart({ name }: Pick<FeatureStateProps, "name">) {
  const { t } = useTranslation();
  const { BaseURL } = usePage().data.config;
  const option = options[name];
  if (option === null) {
    return (
      <p>
        <a href={`${BaseURL}/settings/global#search`}>{t("check.open")}</a>
      </p>
    );
  }
  return (
    <p className="feature__how">
      {t("features.start")} <code dir="ltr">{option}</code>
    </p>
  );
}
