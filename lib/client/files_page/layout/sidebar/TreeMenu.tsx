import { Copy, Download, FolderInput, Share2, Star, StarOff, Trash2 } from "lucide";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { type EntryPath, isInside, nameOf, parentOf } from "../../../../shared/path.ts";
import { success } from "../../../../shared/result.ts";
import type { Target } from "../../../base/files/target.ts";
import { useRootAccess } from "../../../base/core/root_access.ts";
import { useApi, useMay } from "../../../base/core/use_site.ts";
import { Menu, MenuItem } from "../../../../../components/Menu.tsx";
import { useFiles } from "../../../base/files/use_files.ts";

interface TreeMenuProps {
  /** The folder that it is about. */
  path: EntryPath;
  /** The point in the window at which it opens, in CSS pixels. */
  x: number;
  y: number;
  /** Called after an action that may have changed folders. */
  onChanged: () => void;
  onClose: () => void;
}

/** The menu of a folder in the tree. */
export function TreeMenu({ path, x, y, onChanged, onClose }: TreeMenuProps) {
  const { t } = useTranslation();
  const { actions, favorites, listing, navigation } = useFiles();
  const api = useApi();
  const may = useMay();
  const canChange = useRootAccess().canChange(path);
  const point = useMemo(() => ({ x, y }), [x, y]);
  const target = folderTarget(path);
  const isStarred = favorites.value.some((each) => each.path === path);
  const changing = (act: () => Promise<void>) => async () => {
    await act();
    onChanged();
    const shown = listing.path.peek();
    if (!isInside(shown, path)) return;
    // The folder on screen may have gone with it.
    const there = await api.exists(shown);
    if (there.ok && !there.value && listing.path.peek() === shown) {
      navigation.go(parentOf(path), { replace: true });
    }
  };
  const mayShare = may("share") && may("download");
  const offers = [
    ["download", Download, may("download"), () => actions.downloadSelection(target)],
    ["share", Share2, mayShare, () => actions.share(target)],
    ["moveTo", FolderInput, canChange && may("rename"), changing(() => actions.move(target))],
    ["copyTo", Copy, may("create"), changing(() => actions.copy(target))],
    [
      isStarred ? "unstar" : "star",
      isStarred ? StarOff : Star,
      true,
      () => actions.star(target),
    ],
    [
      "delete",
      Trash2,
      canChange && may("delete"),
      changing(() => actions.deleteSelection(false, target)),
    ],
  ] as const;
  return (
    <Menu
      id="tree-menu"
      label={t("files.actionsOf", { name: nameOf(path) })}
      title={nameOf(path)}
      at={point}
      onClose={onClose}
    >
      {offers.map(([name, glyph, isOffered, act]) =>
        isOffered && (
          <MenuItem
            key={name}
            glyph={glyph}
            danger={name === "delete"}
            onClick={() => void act()}
          >
            {t(`commands.${name}`)}
          </MenuItem>
        )
      )}
    </Menu>
  );
}

/** A folder of the tree for the actions. */
function folderTarget(path: EntryPath): Target {
  const name = nameOf(path);
  const facts = { isDir: true, isSymlink: false, type: "listing", extension: "" } as const;
  const entry = { name, path, ...facts, size: 0, modified: new Date(0).toISOString(), mode: 0 };
  return {
    folder: parentOf(path),
    size: 1,
    known: () => [entry],
    names: () => Promise.resolve(success([name])),
  };
}
