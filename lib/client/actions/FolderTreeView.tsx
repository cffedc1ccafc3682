import { ChevronRight } from "lucide";
import { useEffect, useRef } from "react";
import type { EntryPath } from "../../shared/path.ts";
import type { FolderTree, TreeRow } from "./folder_tree.ts";
import { useTranslation } from "../core/use_translation.ts";
import { EntryIcon } from "../listing/EntryIcon.tsx";
import { Icon } from "../../../components/Icon.tsx";

const FOLDER = { type: "listing", isDir: true, isSymlink: false, extension: "" } as const;

interface FolderTreeViewProps {
  tree: FolderTree;
  /** Folders that are no valid destination: the moved ones, and those inside them. */
  isRefused: (path: EntryPath) => boolean;
}

/**
 * A tree of folders to choose one from. Arrow keys navigate, typing jumps to a name, Enter submits
 * the dialog.
 */
export function FolderTreeView({ tree, isRefused }: FolderTreeViewProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLUListElement>(null);
  const chosen = tree.chosen.value;
  const rows = tree.rows.value;

  useEffect(() => {
    const row = box.current?.querySelector<HTMLElement>("[aria-selected=true]");
    row?.scrollIntoView({ block: "nearest" });
    const held = document.activeElement;
    if (held === document.body || held?.tagName === "DIALOG" || box.current?.contains(held)) {
      row?.focus({ preventScroll: true });
    }
  }, [chosen, rows]);

  return (
    <ul
      ref={box}
      className="tree"
      role="tree"
      aria-label={t("tree.label")}
      onKeyDown={(event) => {
        if (event.key === "Enter" && isRow(event.target)) {
          event.preventDefault();
          return event.currentTarget.closest("form")?.requestSubmit();
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
          chosen={row.path === chosen}
          refused={isRefused(row.path)}
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
}

function Row({ row, tree, chosen, refused }: RowProps) {
  const { t } = useTranslation();
  const { path, name, level, isOpen, isLeaf, isLoading, hasFailed, more } = row;
  const toggle = () => isOpen && !hasFailed ? tree.close(path) : void tree.open(path);
  return (
    <>
      <li
        role="treeitem"
        className="tree__row"
        aria-level={level}
        aria-expanded={isLeaf ? undefined : isOpen}
        aria-selected={chosen}
        aria-disabled={refused || undefined}
        aria-busy={isLoading || undefined}
        tabIndex={chosen ? 0 : -1}
        ref={(element) => element?.style.setProperty("--level", String(level - 1))}
        onClick={() => tree.choose(path)}
        onDblClick={toggle}
      >
        <span
          className="tree__toggle"
          onClick={(event) => {
            event.stopPropagation();
            toggle();
          }}
        >
          {!isLeaf && <Icon glyph={ChevronRight} mirror />}
        </span>
        <EntryIcon entry={FOLDER} />
        <span className="tree__name" dir="auto">{name || t("files.myFiles")}</span>
        {hasFailed && <span className="tree__failed">{t("tree.failed")}</span>}
      </li>
      {more && (
        <li role="none" className="tree__more">
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
