import { useTranslation } from "react-i18next";
import { usePage } from "../../../base/core/page.ts";
import { useDrawer } from "../../../base/core/use_panels.ts";
import { FavoriteList } from "../../places/FavoriteList.tsx";
import { UsageMeter, useDiskUsage } from "./UsageMeter.tsx";
import { Drawer } from "./Drawer.tsx";
import { SidebarContent, type SidebarPlace } from "./SidebarContent.tsx";

interface PageSidebarProps {
  at: SidebarPlace;
  onSignOut: () => void;
}

/** The sidebar of pages other than the files, and the drawer on phones. */
export function PageSidebar({ at, onSignOut }: PageSidebarProps) {
  const { t } = useTranslation();
  const { config, favorites = [] } = usePage().data;
  const drawer = useDrawer();
  const disk = useDiskUsage();
  const content = (
    <SidebarContent
      at={at}
      favorites={<FavoriteList items={favorites} base={config.BaseURL} />}
      onSignOut={onSignOut}
      disk={disk && disk.total > 0 && <UsageMeter {...disk} />}
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
