import { useEffect, useRef } from "react";
import { usePage } from "../core/page.ts";
import { useSettingsGuard } from "./use_unsaved.ts";
import { DiskMeter, useDiskUsage } from "../navigation/DiskMeter.tsx";
import { useDrawer } from "../core/use_panels.ts";
import { useApi, useSession } from "../core/use_site.ts";
import { useTranslation } from "../core/use_translation.ts";
import { Drawer } from "../navigation/Drawer.tsx";
import { SidebarContent } from "../navigation/SidebarContent.tsx";
import type { SettingsData } from "../../shared/settings_data.ts";

/** The sidebar of the settings, and the drawer on phones. */
export function SettingsSidebar() {
  const { t } = useTranslation();
  const { config } = usePage().data;
  const api = useApi();
  const session = useSession();
  const drawer = useDrawer();
  const disk = useDiskUsage();
  const guard = useSettingsGuard();
  const signOut = async () => {
    if (!await guard.mayLeave()) return;
    guard.letGo();
    await api.signOut();
  };
  const content = (
    <SidebarContent
      name={config.Name}
      version={config.Version}
      username={session.user.value?.username ?? ""}
      home={`${config.BaseURL}/files/`}
      settings={`${config.BaseURL}/settings/profile`}
      at="settings"
      onSignOut={config.AuthMethod === "json" ? () => void signOut() : undefined}
      disk={disk && disk.total > 0 && <DiskMeter {...disk} />}
    />
  );
  return (
    <>
      <aside className="sidebar">{content}</aside>
      {drawer.value && (
        <Drawer label={t("sidebar.label")} onClose={() => drawer.value = false}>{content}</Drawer>
      )}
    </>
  );
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
  ] as const;
  const list = useRef<HTMLElement>(null);
  // On phones there is no room for all of them.
  useEffect(() => {
    list.current?.querySelector("[aria-current=page]")?.scrollIntoView({ inline: "center" });
  }, []);
  const current = tab === "user" ? "users" : tab;
  return (
    <nav ref={list} className="tabs" aria-label={t("settings.title")}>
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
