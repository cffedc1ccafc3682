import { usePage } from "../core/page.ts";
import { useSettingsGuard } from "./use_unsaved.ts";
import { useDiskUsage } from "../navigation/use_disk_usage.ts";
import { useDrawer } from "../navigation/use_drawer.ts";
import { useApi, useSession } from "../core/use_site.ts";
import { useTranslation } from "../core/use_translation.ts";
import { DiskMeter } from "../navigation/DiskMeter.tsx";
import { Drawer } from "../navigation/Drawer.tsx";
import { SidebarContent } from "../navigation/SidebarContent.tsx";

/** The bar at the side of the settings, and on a phone the drawer. */
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
