import { useEffect } from "react";
import { SidebarContent } from "../lib/client/navigation/SidebarContent.tsx";
import { ROOT } from "../lib/shared/path.ts";
import { lazy } from "../lib/client/core/lazy.ts";
import { useLazy } from "../lib/client/core/use_site.ts";
import { usePage } from "../lib/client/core/page.ts";
import { useDrawer } from "../lib/client/core/use_panels.ts";
import { DiskMeter, useDiskUsage } from "../lib/client/navigation/DiskMeter.tsx";
import { useFileActions, useFiles } from "../lib/client/navigation/use_files.ts";
import { useTranslation } from "../lib/client/core/use_translation.ts";

const pageParts = lazy(() => import("../lib/client/navigation/page_parts.ts"));

/** The sidebar; on narrow screens a drawer that the header opens. */
export function Sidebar() {
  const { t } = useTranslation();
  const { config, user } = usePage().data;
  const { listing, navigation, actions, uploads } = useFiles();
  const drawer = useDrawer();
  const may = useFileActions();
  const path = listing.path.value;
  const code = useLazy(pageParts, drawer.value);
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
      {drawer.value && code && (
        <code.Drawer label={t("sidebar.label")} onClose={close}>{content}</code.Drawer>
      )}
    </>
  );
}
