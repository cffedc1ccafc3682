import { ChevronRight } from "lucide";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { SidebarContent } from "./SidebarContent.tsx";
import { parentOf, ROOT } from "../../../../shared/path.ts";
import { lazy } from "../../../base/core/lazy.ts";
import { useLazy } from "../../../base/core/use_site.ts";
import { useLazyDialog } from "../../../base/ui/use_lazy_dialog.ts";
import { usePage } from "../../../base/core/page.ts";
import { useDrawer } from "../../../base/core/use_panels.ts";
import { FavoriteList } from "../../places/FavoriteList.tsx";
import { UsageMeter, useDiskUsage } from "./UsageMeter.tsx";
import { useTreePanel } from "./tree_state.ts";
import { useFileActions, useFiles } from "../../../base/files/use_files.ts";
import { IconButton } from "../../../../../components/Button.tsx";

const pageParts = lazy(() => import("../late_page.ts"));
const treeParts = lazy(() => import("./SidebarTree.tsx"));

/** The sidebar; on narrow screens a drawer that the header opens. */
export function Sidebar() {
  const { t } = useTranslation();
  const { config } = usePage().data;
  const { listing, navigation, actions, uploads, favorites } = useFiles();
  const drawer = useDrawer();
  const may = useFileActions();
  const tree = useTreePanel();
  const path = listing.path.value;
  const resource = listing.resource.value;
  const treeCode = useLazy(treeParts, tree.isOpen.value);
  const disk = useDiskUsage(uploads.now.value.phase === "busy");
  const isFavorite = favorites.value.some((favorite) => favorite.path === path);
  const close = () => {
    drawer.value = false;
  };
  const code = useLazyDialog(pageParts, drawer.value, close);
  const closing = (act: () => unknown) => () => {
    close();
    void act();
  };
  // While the server is away they stay in their place.
  const isAway = listing.failure.value?.status === 0 && navigation.place.value.folder;
  const offersNew = may.create && (may.here || isAway);

  useEffect(close, [path]);
  useEffect(() => tree.restore(), []);

  const content = (
    <SidebarContent
      at={path === ROOT ? "home" : isFavorite ? "favorite" : "below"}
      toggle={
        <IconButton
          className="place__more place__toggle"
          label={t("tree.label")}
          glyph={ChevronRight}
          mirror
          aria-expanded={tree.isOpen.value}
          onClick={() => tree.toggle()}
        />
      }
      tree={tree.isOpen.value && treeCode && (
        <treeCode.SidebarTree at={resource?.isDir === false ? parentOf(path) : path} />
      )}
      favorites={
        <FavoriteList
          items={favorites.value}
          base={config.BaseURL}
          at={path}
          news={resource}
        />
      }
      isIdle={!may.here}
      onNewFolder={offersNew ? closing(() => actions.newFolder()) : undefined}
      onNewFile={offersNew ? closing(() => actions.newFile()) : undefined}
      onNewDocument={offersNew && config.EnableOffice && may.download
        ? closing(() => actions.newDocument("document"))
        : undefined}
      onHistory={closing(() => actions.history())}
      onHelp={closing(() => actions.help())}
      onSignOut={() => void actions.signOut()}
      disk={disk && (disk.total > 0 || disk.quota) && <UsageMeter {...disk} />}
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
