import { useTranslation } from "react-i18next";
import "../lib/client/base/open_site.ts";
import { useEffect } from "react";
import {
  SettingsBody,
  type SettingsBodyProps,
} from "../lib/client/screens/settings/SettingsBody.tsx";
import {
  SettingsSidebar,
  SettingsTabs,
} from "../lib/client/screens/settings/SettingsNavigation.tsx";
import { PageShell } from "../lib/client/files_page/layout/PageShell.tsx";
import { useFocusKeeper } from "../lib/client/screens/settings/use_focus_keeper.ts";
import { useScrollKeeper } from "../lib/client/screens/settings/use_scroll_keeper.ts";
import { showFlashMessage, useGuardedPage } from "../lib/client/screens/settings/use_unsaved.ts";
import { useToasts } from "../lib/client/base/core/use_site.ts";

/** The content of the settings pages, with the server's data. */
export function SettingsArea(props: SettingsBodyProps) {
  const { t } = useTranslation();
  const toasts = useToasts();
  useGuardedPage();
  useFocusKeeper();
  useScrollKeeper();
  useEffect(
    () => showFlashMessage(sessionStorage, (news) => toasts.success(t(`toasts.${news}`))),
    [],
  );
  if (props.shown.tab === "enrol") return <SettingsBody {...props} />;
  return (
    <PageShell
      title={t("settings.title")}
      sidebar={<SettingsSidebar />}
      tabs={<SettingsTabs tab={props.shown.tab} />}
    >
      <SettingsBody {...props} />
    </PageShell>
  );
}
