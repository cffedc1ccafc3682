import { EllipsisVertical, File, Folder } from "lucide";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { displayName } from "../../../shared/entry_names.ts";
import { encodePath, parsePath } from "../../../shared/path.ts";
import type { Favorite } from "../../../shared/schemas/places.ts";
import { lazy } from "../../base/core/lazy.ts";
import { useLazy } from "../../base/core/use_site.ts";
import { IconButton } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";

const favoriteOrder = lazy(() => import("./FavoriteOrder.tsx"));

interface FavoriteListProps {
  items: readonly Favorite[];
  /** "" or "/base", before the addresses. */
  base: string;
  /** The path on screen. */
  at?: string;
  /** Where it can be changed: another value when entries may have other names. */
  news?: unknown;
}

/** The user's favourites in the sidebar, as links. What changes them is loaded late. */
export function FavoriteList({ items, base, at, news }: FavoriteListProps) {
  const { t } = useTranslation();
  const isLive = news !== undefined;
  const first = useRef(news);
  const list = useRef<HTMLUListElement>(null);
  const [isNear, setNear] = useState(false);
  const [menu, setMenu] = useState<{ item: Favorite; x: number; y: number } | null>(null);
  const code = useLazy(favoriteOrder, isNear);
  useEffect(() => {
    if (news !== first.current && items.length > 0) setNear(true);
  }, [news]);
  const isEmpty = items.length === 0;
  if (isEmpty && !isLive) return null;
  const open = (item: Favorite, { x, y }: { x: number; y: number }) => {
    setNear(true);
    setMenu({ item, x, y });
  };
  return (
    <section
      className={isEmpty ? "places places--empty" : "places"}
      aria-label={t("places.favorites")}
      data-takes={isLive || undefined}
      onPointerEnter={isLive ? () => setNear(true) : undefined}
    >
      <h2 className="places__head">{t("places.favorites")}</h2>
      <ul ref={list} className="sidebar__list">
        {items.map((item) => {
          const { path, name, isDir, isGone } = item;
          return (
            <li
              key={path}
              className="place"
              data-favorite={path}
              onContextMenu={isLive
                ? (event) => {
                  event.preventDefault();
                  open(item, { x: event.clientX, y: event.clientY });
                }
                : undefined}
            >
              <a
                className={isGone ? "sidebar__item place__gone" : "sidebar__item"}
                data-place
                href={`${base}/files${encodePath(parsePath(path).path, { folder: isDir })}`}
                title={isGone ? `${path}: ${t("places.gone")}` : path}
                aria-current={path === at ? "page" : "false"}
              >
                <Icon glyph={isDir ? Folder : File} />
                <span className="sidebar__name" dir="auto">{displayName(name)}</span>
                {isGone && <span className="unseen">{t("places.gone")}</span>}
              </a>
              {isLive && (
                <IconButton
                  className="place__more"
                  label={t("files.actionsOf", { name })}
                  glyph={EllipsisVertical}
                  aria-haspopup="menu"
                  aria-expanded={menu?.item.path === path}
                  onClick={({ currentTarget }) => {
                    const { left, bottom } = currentTarget.getBoundingClientRect();
                    open(item, { x: left, y: bottom });
                  }}
                />
              )}
            </li>
          );
        })}
      </ul>
      {isLive && <p className="places__hint">{t("places.dropHere")}</p>}
      {code && <code.FavoriteOrder list={list} />}
      {code && menu && <code.FavoriteMenu {...menu} onClose={() => setMenu(null)} />}
    </section>
  );
}
