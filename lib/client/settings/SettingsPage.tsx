import { SettingsArea } from "../../../islands/SettingsArea.tsx";
import type { Page } from "../core/page.ts";
import { PageRoot } from "../ui/PageRoot.tsx";
import type { SettingsBodyProps } from "./SettingsBody.tsx";

interface SettingsPageProps extends SettingsBodyProps {
  page: Page;
  /** What the page is called, before the name of the site. */
  title: string;
}

/** The document of every page of the settings. */
export function SettingsPage({ page, title, ...shown }: SettingsPageProps) {
  return (
    <PageRoot page={page} title={`${title} - ${page.data.config.Name}`} islands>
      <a className="skip-link" href="#content">{page.i18n.t("settings.skip")}</a>
      <SettingsArea {...shown} />
    </PageRoot>
  );
}
