import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { usePage } from "../../base/core/page.ts";
import { useSettingsGuard } from "./use_unsaved.ts";
import { useApi } from "../../base/core/use_site.ts";
import { PageSidebar } from "../../files_page/layout/sidebar/PageSidebar.tsx";
import type { SettingsData } from "../../../shared/settings_data.ts";

/** The sidebar of the settings. */
export function SettingsSidebar() {
  const api = useApi();
  const guard = useSettingsGuard();
  const signOut = async () => {
    if (!await guard.mayLeave()) return;
    guard.letGo();
    await api.signOut();
  };
  return <PageSidebar at="settings" onSignOut={() => void signOut()} />;
}

interface SettingsTabsProps {
  tab: SettingsData["tab"];
}

/** The pages of the settings that the user may see. */
export function SettingsTabs({ tab }: SettingsTabsProps) {
  const { t } = useTranslation();
  const { config, user } = usePage().data;
  const isAdmin = user?.perm.admin ?? false;
  const tabs = [
    { name: "profile", shown: true },
    { name: "shares", shown: isAdmin || user?.perm.share },
    { name: "global", shown: isAdmin },
    { name: "users", shown: isAdmin },
    { name: "groups", shown: isAdmin },
    { name: "webhooks", shown: isAdmin && (config.EnableWebhooks || tab === "webhooks") },
    { name: "activity", shown: isAdmin },
  ] as const;
  const list = useRef<HTMLElement>(null);
  // On phones there is no room for all of them.
  useEffect(() => {
    list.current?.querySelector("[aria-current=page]")?.scrollIntoView({ inline: "center" });
  }, []);
  const current =
    ({ user: "users", group: "groups", check: "global" } as Record<string, string>)[tab] ?? tab;
  return (
    <nav ref={list} className="tabs scrolls" aria-label={t("settings.title")}>
      {tabs.filter(({ shown }) => shown).map(({ name }) => (
        <a
          key={name}
          className="tabs__tab"
          href={`${config.BaseURL}/settings/${name}`}
          aria-current={name === current ? "page" : "false"}
        >
          {t(`settings.tabs.${name}`)}
        </a>
      ))}
    </nav>
  );
}
