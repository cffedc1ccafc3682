import { effect } from "@preact/signals";
import { type RefObject, useEffect, useMemo, useRef } from "react";
import { Refresher } from "../../base/core/throttle.ts";
import { useFiles } from "../../base/files/use_files.ts";
import {
  type FavoriteOptions,
  moveFavorite,
  refreshFavorites,
  unstar,
} from "./favorite_actions.ts";
import { ArrowDown, ArrowUp, FolderSearch, StarOff } from "lucide";
import { useTranslation } from "react-i18next";
import { parentOf, parsePath } from "../../../shared/path.ts";
import type { Favorite } from "../../../shared/schemas/places.ts";
import { useApi, useToasts } from "../../base/core/use_site.ts";
import { Menu, MenuItem } from "../../../../components/Menu.tsx";

/** Marks the favourite that a dragged one would come before, or after. */
const MARK = "data-insert";

/** The favourite that an event is about, and its element. */
function favoriteAt(target: EventTarget | null): { element: HTMLElement; path: string } | null {
  const element = target instanceof Element ? target.closest<HTMLElement>("[data-favorite]") : null;
  return element && { element, path: element.dataset.favorite ?? "" };
}

/**
 * Lets the mouse drag favourites to another position in their list, and reads the list again when
 * the open folder has news: a favourite may have another name. Draws nothing.
 */
export function FavoriteOrder({ list }: { list: RefObject<HTMLUListElement> }) {
  const { listing } = useFiles();
  const options = useFavoriteOptions();
  const latest = useRef(options);
  latest.current = options;

  useEffect(() => {
    const refresher = new Refresher(() => refreshFavorites(latest.current));
    const stop = effect(() => {
      void listing.resource.value;
      if (latest.current.favorites.peek().length > 0) refresher.ask();
    });
    return () => {
      stop();
      refresher.stop();
    };
  }, [listing]);

  useEffect(() => {
    const box = list.current;
    if (!box) return;
    const stopping = new AbortController();
    const { signal } = stopping;
    let dragged: string | null = null;
    let marked: HTMLElement | null = null;
    const mark = (element: HTMLElement | null, where: "before" | "after" = "before") => {
      if (marked !== element) marked?.removeAttribute(MARK);
      element?.setAttribute(MARK, where);
      marked = element;
    };
    const isAfter = ({ clientY }: DragEvent, element: HTMLElement) => {
      const { top, height } = element.getBoundingClientRect();
      return clientY > top + height / 2;
    };
    box.addEventListener("dragstart", (event) => {
      dragged = favoriteAt(event.target)?.path ?? null;
      event.dataTransfer?.setData("application/x-cubby-favorite", "");
    }, { signal });
    box.addEventListener("dragend", () => {
      dragged = null;
      mark(null);
    }, { signal });
    box.addEventListener("dragover", (event) => {
      const over = favoriteAt(event.target);
      if (dragged === null || !over || !event.dataTransfer) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "move";
      mark(over.element, isAfter(event, over.element) ? "after" : "before");
    }, { signal });
    box.addEventListener("drop", (event) => {
      const over = favoriteAt(event.target);
      if (dragged === null || !over) return;
      event.preventDefault();
      const items = latest.current.favorites.peek();
      const item = items.find(({ path }) => path === dragged);
      const others = items.filter(({ path }) => path !== dragged);
      const index = others.findIndex(({ path }) => path === over.path);
      if (!item || index === -1) return;
      const next = others[isAfter(event, over.element) ? index + 1 : index];
      void moveFavorite(latest.current, item, next);
    }, { signal });
    return () => stopping.abort();
  }, [list]);
  return null;
}

interface FavoriteMenuProps {
  item: Favorite;
  /** The point in the window at which it opens, in CSS pixels. */
  x: number;
  y: number;
  onClose: () => void;
}

/** The means to change the favourites, on the files page. */
function useFavoriteOptions(): FavoriteOptions {
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
