import { effect } from "@preact/signals";
import { useEffect, useState } from "react";
import { type EntryPath, ROOT } from "../../../../shared/path.ts";
import { FolderTree } from "../../actions/destination/folder_tree.ts";
import { FolderTreeView } from "../../actions/destination/FolderTreeView.tsx";
import { keepIn, openLocalStorage, pathsIn } from "../../../base/core/browser_storage.ts";
import { useShared } from "../../../base/core/page.ts";
import { useRootAccess } from "../../../base/core/root_access.ts";
import { Refresher } from "../../../base/core/throttle.ts";
import { useApi } from "../../../base/core/use_site.ts";
import { TreeMenu } from "./TreeMenu.tsx";
import { useFiles } from "../../../base/files/use_files.ts";

const KEY = "cubby-tree-folders";

/** The most expanded folders that are remembered. */
const MOST_KEPT = 30;

interface SidebarTreeProps {
  /** The folder on screen. */
  at: EntryPath;
}

/**
 * The tree of folders in the sidebar. It follows the folder on screen, takes dragged entries and
 * files, and is read again when the folder on screen has news.
 */
export function SidebarTree({ at }: SidebarTreeProps) {
  const api = useApi();
  const { listing, navigation } = useFiles();
  const rootAccess = useRootAccess();
  const tree = useShared("folder-tree", () => {
    const opened = pathsIn(openLocalStorage(), KEY, MOST_KEPT);
    return new FolderTree(api, ROOT, { opened, hidesRoot: true });
  });

  useEffect(() => {
    // The keyboard's place in the tree stays its own.
    const isHeld = document.activeElement?.closest(".sidebar .tree") != null;
    void tree.reveal(at, !isHeld);
  }, [at]);
  useEffect(() => {
    const refresher = new Refresher(() => tree.refresh());
    let last = listing.resource.peek();
    const stop = effect(() => {
      const resource = listing.resource.value;
      // Another folder is no news unless it has changed since the tree has read it.
      const isAgain = resource?.path === last?.path;
      if (resource && resource !== last && (isAgain || tree.hasNews(resource))) refresher.ask();
      last = resource ?? last;
    });
    const { roots } = rootAccess;
    const stopLearning = effect(() => {
      if (rootAccess.roots !== roots) refresher.ask();
    });
    const stopKeeping = effect(() => {
      const open = tree.rows.value.filter(({ isOpen }) => isOpen).map(({ path }) => path);
      if (open.length > 0) keepIn(openLocalStorage(), KEY, JSON.stringify(open.slice(-MOST_KEPT)));
    });
    return () => {
      stop();
      stopLearning();
      stopKeeping();
      refresher.stop();
    };
  }, [tree]);

  const [menu, setMenu] = useState<{ path: EntryPath; x: number; y: number } | null>(null);
  const links = {
    hrefOf: (path: EntryPath) => navigation.href(path),
    current: at,
    onMenu: (path: EntryPath, point: { x: number; y: number }) => setMenu({ path, ...point }),
  };
  return (
    <>
      <FolderTreeView tree={tree} links={links} />
      {menu && (
        <TreeMenu
          {...menu}
          onChanged={() => void tree.refresh()}
          onClose={() => setMenu(null)}
        />
      )}
    </>
  );
}
