import { useEffect } from "react";
import { useLateParts } from "../lib/client/navigation/use_late_parts.ts";
import { SidebarContent } from "../lib/client/navigation/SidebarContent.tsx";
import { ROOT } from "../lib/shared/path.ts";
import { usePage } from "../lib/client/core/page.ts";
import { useDrawer } from "../lib/client/navigation/use_drawer.ts";
import { useDiskUsage } from "../lib/client/navigation/use_disk_usage.ts";
import { useFileActions } from "../lib/client/menu/use_file_actions.ts";
import { useFiles } from "../lib/client/navigation/use_files.ts";
import { useTranslation } from "../lib/client/core/use_translation.ts";
import { DiskMeter } from "../lib/client/navigation/DiskMeter.tsx";

/** The bar at the side; where the screen is narrow, a drawer that the header opens. */
export function Sidebar() {
  const { t } = useTranslation();
  const { config, user } = usePage().data;
  const { listing, navigation, actions, uploads } = useFiles();
  const drawer = useDrawer();
  const may = useFileActions();
  const path = listing.path.value;
  const parts = useLateParts(drawer.value);
  const disk = useDiskUsage(uploads.now.value.phase === "busy");
  const close = () => {
    drawer.value = false;
  };

  useEffect(close, [path]);

  const content = (
    <SidebarContent
      name={config.Name}
      version={config.Version}
      username={user?.username ?? ""}
      home={navigation.href(ROOT)}
      at={path === ROOT ? "home" : "below"}
      settings={`${config.BaseURL}/settings/profile`}
      onNewFolder={may.create && may.here
        ? () => {
          close();
          void actions.newFolder();
        }
        : undefined}
      onNewFile={may.create && may.here
        ? () => {
          close();
          void actions.newFile();
        }
        : undefined}
      onHelp={() => {
        close();
        void actions.help();
      }}
      onSignOut={config.AuthMethod === "json" ? () => void actions.signOut() : undefined}
      disk={disk && disk.total > 0 && <DiskMeter {...disk} />}
    />
  );

  return (
    <>
      <aside className="sidebar">{content}</aside>
      {drawer.value && parts && (
        <parts.Drawer label={t("sidebar.label")} onClose={close}>{content}</parts.Drawer>
      )}
    </>
  );
}
