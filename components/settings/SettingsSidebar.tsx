import { usePage } from "../../lib/client/page.ts";
import { useSettingsGuard } from "../../lib/client/settings/use_unsaved.ts";
import { useDiskUsage } from "../../lib/client/use_disk_usage.ts";
import { useDrawer } from "../../lib/client/use_drawer.ts";
import { useApi, useSession } from "../../lib/client/use_site.ts";
import { useTranslation } from "../../lib/i18n/use_translation.ts";
import { DiskMeter } from "../DiskMeter.tsx";
import { Drawer } from "../Drawer.tsx";
import { SidebarContent } from "../SidebarContent.tsx";

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
