import { ArrowDown, ArrowUp, FolderSearch, StarOff } from "lucide";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { parentOf, parsePath } from "../../../shared/path.ts";
import type { Favorite } from "../../../shared/schemas/places.ts";
import { useApi, useToasts } from "../../base/core/use_site.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { Menu, MenuItem } from "../../../../components/Menu.tsx";
import { type FavoriteOptions, moveFavorite, unstar } from "./favorite_actions.ts";

interface FavoriteMenuProps {
  item: Favorite;
  /** The point in the window at which it opens, in CSS pixels. */
  x: number;
  y: number;
  onClose: () => void;
}

/** The means to change the favourites, on the files page. */
export function useFavoriteOptions(): FavoriteOptions {
  const { t } = useTranslation();
  const api = useApi();
  const toasts = useToasts();
  const { favorites } = useFiles();
  return { api, toasts, t, favorites };
}

/** The menu of one favourite: its place in the order, its folder, and its end. */
export function FavoriteMenu({ item, x, y, onClose }: FavoriteMenuProps) {
  const { t } = useTranslation();
  const { favorites, navigation } = useFiles();
  const options = useFavoriteOptions();
  const items = favorites.value;
  const index = items.findIndex(({ path }) => path === item.path);
  const point = useMemo(() => ({ x, y }), [x, y]);
  return (
    <Menu
      id="favorite-menu"
      label={t("files.actionsOf", { name: item.name })}
      at={point}
      onClose={onClose}
    >
      <MenuItem
        glyph={FolderSearch}
        disabled={item.isGone}
        onClick={() => navigation.go(parentOf(parsePath(item.path).path))}
      >
        {t("search.keyShow")}
      </MenuItem>
      <hr className="menu__rule" />
      <MenuItem
        glyph={ArrowUp}
        disabled={index <= 0}
        onClick={() => void moveFavorite(options, item, items[index - 1])}
      >
        {t("places.up")}
      </MenuItem>
      <MenuItem
        glyph={ArrowDown}
        disabled={index === -1 || index === items.length - 1}
        onClick={() => void moveFavorite(options, item, items[index + 2])}
      >
        {t("places.down")}
      </MenuItem>
      <hr className="menu__rule" />
      <MenuItem glyph={StarOff} onClick={() => void unstar(options, item)}>
        {t("commands.unstar")}
      </MenuItem>
    </Menu>
  );
}
