import { ChevronRight, Lock } from "lucide";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { displayName } from "../../../../shared/entry_names.ts";
import { type EntryPath, parsePath } from "../../../../shared/path.ts";
import type { FolderTree, TreeRow } from "./folder_tree.ts";
import { useRootAccess } from "../../../base/core/root_access.ts";
import { EntryIcon } from "../../listing/thumbs/EntryIcon.tsx";
import { Icon } from "../../../../../components/Icon.tsx";

const FOLDER = { type: "listing", isDir: true, isSymlink: false, extension: "" } as const;

/** Makes links of the rows of a tree, which lead to their folders and take what is dropped. */
export interface TreeLinks {
  hrefOf: (path: EntryPath) => string;
  /** The folder on screen. */
  current: EntryPath;
  /** Opens the menu of a folder at a point of the window, in CSS pixels. */
  onMenu: (path: EntryPath, point: { x: number; y: number }) => void;
}

interface FolderTreeViewProps {
  tree: FolderTree;
  /** Folders that are no valid destination: the moved ones, and those inside them. */
  isRefused?: (path: EntryPath) => boolean;
  links?: TreeLinks;
  /** The name of the root; "My files" by default. */
  top?: string;
}

/**
 * A tree of folders, to choose one from, or to go to. Arrow keys navigate, typing jumps to a name.
 * Enter submits the dialog around it, or follows the link.
 */
export function FolderTreeView({ tree, isRefused, links, top }: FolderTreeViewProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLUListElement>(null);
  /** The row that was in view when a pointer was last pressed here. */
  const passed = useRef<EntryPath>();
  const chosen = tree.chosen.value;
  const rows = tree.rows.value;
  const tabStop = rows.some(({ path }) => path === chosen) ? chosen : rows[0]?.path;

  useEffect(() => {
    const row = box.current?.querySelector<HTMLElement>("[data-chosen]");
    const held = document.activeElement;
    if (links && !box.current?.contains(held)) return;
    // Whoever scrolls on and opens another folder by its arrow stays there.
    if (tabStop !== passed.current) row?.scrollIntoView({ block: "nearest" });
    if (
      links || held === document.body || held?.tagName === "DIALOG" || box.current?.contains(held)
    ) {
      row?.focus({ preventScroll: true });
    }
  }, [tabStop, rows]);
  useEffect(() => {
    const spring = ({ target }: Event) => {
      const path = target instanceof HTMLElement ? target.dataset.springs : undefined;
      if (path) void tree.open(parsePath(path).path);
    };
    const { current } = box;
    current?.addEventListener("spring", spring);
    return () => current?.removeEventListener("spring", spring);
  }, [tree]);

  return (
    <ul
      ref={box}
      className="tree"
      role="tree"
      aria-label={t("tree.label")}
      data-own-keys={links && ""}
      onPointerDown={() => void (passed.current = tabStop)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && isRow(event.target)) {
          if (links) return;
          event.preventDefault();
          return event.currentTarget.closest("form")?.requestSubmit();
        }
        if (event.key === " " && links && isRow(event.target)) {
          event.preventDefault();
          return (event.target as HTMLElement).click();
        }
        const key = stepOf(event, box.current);
        if (key === null) return;
        event.preventDefault();
        if (key.length === 1) tree.type(key);
        else void tree.step(key);
      }}
    >
      {rows.map((row) => (
        <Row
          key={row.path}
          row={row}
          tree={tree}
          chosen={row.path === tabStop}
          refused={isRefused?.(row.path) ?? false}
          links={links}
          top={top}
        />
      ))}
    </ul>
  );
}

interface RowProps {
  row: TreeRow;
  tree: FolderTree;
  chosen: boolean;
  refused: boolean;
  links?: TreeLinks;
  top?: string;
}

function Row({ row, tree, chosen, refused, links, top }: RowProps) {
  const { t } = useTranslation();
  // The tree of a share has none of the user's own roots.
  const isLocked = useRootAccess().isReadOnlyTop(row.path) && top === undefined;
  const { path, name, level, isOpen, isLeaf, isLoading, hasFailed, more } = row;
  const toggle = () => isOpen && !hasFailed ? tree.close(path) : void tree.open(path);
  const shared = {
    role: "treeitem",
    className: "tree__row",
    "aria-level": level,
    "aria-expanded": isLeaf ? undefined : isOpen,
    "aria-busy": isLoading || undefined,
    "data-chosen": chosen || undefined,
    tabIndex: chosen ? 0 : -1,
    ref: (element: HTMLElement | null) =>
      element?.style.setProperty("--level", String(level - (links ? 2 : 1))),
    onClick: () => tree.choose(path),
  } as const;
  const content = (
    <>
      <span
        className="tree__toggle"
        onClick={(event) => {
          event.preventDefault();
          event.stopPropagation();
          toggle();
        }}
      >
        {!isLeaf && <Icon glyph={ChevronRight} mirror />}
      </span>
      <EntryIcon entry={FOLDER} />
      <span className="tree__name" dir="auto">
        {displayName(name) || (top ?? t("files.myFiles"))}
      </span>
      {isLocked && (
        <span className="tree__lock" role="img" aria-label={t("editor.readOnly")}>
          <Icon glyph={Lock} />
        </span>
      )}
      {hasFailed && <span className="tree__failed">{t("tree.failed")}</span>}
    </>
  );
  return (
    <>
      {links
        ? (
          <li role="none">
            <a
              {...shared}
              href={links.hrefOf(path)}
              title={displayName(name)}
              data-place
              data-springs={path}
              onContextMenu={(event) => {
                event.preventDefault();
                const { left, bottom } = event.currentTarget.getBoundingClientRect();
                // The key of menus has no point.
                const isByKey = event.clientX === 0 && event.clientY === 0;
                tree.choose(path);
                links.onMenu(
                  path,
                  isByKey ? { x: left, y: bottom } : { x: event.clientX, y: event.clientY },
                );
              }}
              aria-current={path === links.current ? "page" : "false"}
            >
              {content}
            </a>
          </li>
        )
        : (
          <li
            {...shared}
            aria-selected={chosen}
            aria-disabled={refused || undefined}
            autofocus={chosen}
            onDblClick={toggle}
          >
            {content}
          </li>
        )}
      {more && (
        <li role="none">
          <button type="button" className="tree__button" onClick={() => void tree.more(more.of)}>
            {t("tree.more", { count: more.count })}
          </button>
        </li>
      )}
    </>
  );
}

/** Enter on a row submits the prompt; on a button in the tree it activates the button. */
function isRow(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("[role=treeitem]");
}

/** The step of a key, mirrored in right-to-left text; a character to type ahead; or null. */
function stepOf(event: KeyboardEvent, box: Element | null): string | null {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (ctrlKey || metaKey || altKey || (target as Element).tagName === "BUTTON") return null;
  if (["ArrowUp", "ArrowDown", "Home", "End"].includes(key)) return key;
  const isMirrored = box !== null && getComputedStyle(box).direction === "rtl";
  if (key === (isMirrored ? "ArrowLeft" : "ArrowRight")) return "in";
  if (key === (isMirrored ? "ArrowRight" : "ArrowLeft")) return "out";
  return [...key].length === 1 && key !== " " ? key : null;
}
