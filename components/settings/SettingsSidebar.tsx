import { usePage } from "../../lib/client/page.ts";
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
  const content = (
    <SidebarContent
      name={config.Name}
      version={config.Version}
      username={session.user.value?.username ?? ""}
      home={`${config.BaseURL}/files/`}
      settings={`${config.BaseURL}/settings/profile`}
      at="settings"
      onSignOut={config.AuthMethod === "json" ? () => void api.signOut() : undefined}
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
