import { useEffect } from "react";
import { Prompts } from "../lib/client/prompts/Prompts.tsx";
import { SettingsBody, type SettingsBodyProps } from "../lib/client/settings/SettingsBody.tsx";
import { SettingsSidebar, SettingsTabs } from "../lib/client/settings/SettingsNavigation.tsx";
import { SidebarButton } from "../lib/client/navigation/SidebarContent.tsx";
import { ToastStack } from "../lib/client/ui/Toasts.tsx";
import { showFlashMessage, useGuardedPage } from "../lib/client/settings/use_unsaved.ts";
import { useToasts } from "../lib/client/core/use_site.ts";
import { useTranslation } from "../lib/client/core/use_translation.ts";

/** The content of the settings pages, with the server's data. */
export function SettingsArea(props: SettingsBodyProps) {
  const { t } = useTranslation();
  const toasts = useToasts();
  useGuardedPage();
  useEffect(
    () => showFlashMessage(sessionStorage, (news) => toasts.success(t(`toasts.${news}`))),
    [],
  );
  return (
    <>
      <div className="shell">
        <SettingsSidebar />
        <div className="shell__main">
          <header className="header">
            <SidebarButton />
            <h1 className="header__title">{t("settings.title")}</h1>
          </header>
          <main className="sheet" id="content">
            <SettingsTabs tab={props.shown.tab} />
            <div className="settings">
              <SettingsBody {...props} />
            </div>
          </main>
        </div>
      </div>
      <div className="corner">
        <ToastStack />
      </div>
      <Prompts />
    </>
  );
}
