import { asset, Head } from "fresh/runtime";
import { SettingsArea } from "../../islands/SettingsArea.tsx";
import type { Page } from "../../lib/shared/page_data.ts";
import { PageRoot } from "../../lib/client/base/ui/PageRoot.tsx";
import type { SettingsBodyProps } from "../../lib/client/screens/settings/SettingsBody.tsx";

interface SettingsPageProps extends SettingsBodyProps {
  page: Page;
  /** The title of the page, before the name of the site. */
  title: string;
}

/** The document of every page of the settings. */
export function SettingsPage({ page, title, ...shown }: SettingsPageProps) {
  return (
    <PageRoot page={page} title={`${title} - ${page.data.config.Name}`} islands>
      <Head>
        <link rel="stylesheet" href={asset(page.data.config.BaseURL + "/settings.css")} />
      </Head>
      <a className="skip-link" href="#content">{page.i18n.t("settings.skip")}</a>
      <noscript>
        <p className="no-script">{page.i18n.t("settings.noScript")}</p>
      </noscript>
      <SettingsArea {...shown} />
    </PageRoot>
  );
}
