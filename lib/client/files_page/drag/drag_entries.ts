import type { TFunction } from "i18next";
import { childOf, type EntryPath } from "../../../shared/path.ts";
import {
  AREA,
  type Dragged,
  dropDoes,
  dropFolderAt,
  type DropFolderOptions,
  DropHighlight,
  favoritesAt,
  type Goal,
  HoverOpen,
  opens,
  REST_MS,
  springOpen,
} from "./drag_target.ts";
import type { Files } from "../../base/files/use_files.ts";
import type { RootAccess } from "../../base/core/root_access.ts";
import { indexOf } from "../../base/files/page_dom.ts";

/** The MIME type that marks a drag of this page's own entries. */
const TYPE = "application/x-cubby-entries";

/** The drag handles of a row. A selected row, or a tile, can be dragged anywhere. */
const HANDLE = "a, .entry-icon, img, [aria-selected=true], [data-view]:not([data-view=list]) *";

/** The dependencies of dragging. */
export interface DragOptions
  extends Pick<Files, "listing" | "navigation" | "actions">, Pick<DropFolderOptions, "folderAt"> {
  t: TFunction;
  may: (permission: "create" | "rename") => boolean;
  rootAccess: RootAccess;
}

/** The drag under way. */
interface DragState extends Dragged {
  /** The source folder was left during the drag: `paths` is complete. */
  travels: boolean;
}

/**
 * Lets the mouse drag entries onto folders: rows and tiles, and every link to a folder, such as the
 * breadcrumbs. A drop moves; with Ctrl (Alt on a Mac) held it copies. A folder that the pointer
 * hovers over opens; the entries can then be dropped anywhere in it.
 *
 * @returns a function that stops it
 */
export function followDrags(options: DragOptions): () => void {
  const { listing, navigation, actions } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const mark = new DropHighlight();
  let dragged: DragState | null = null;
  let over: Element | null = null;

  const effectOf = (event: DragEvent, { folder }: Goal, held: Dragged) =>
    options.rootAccess.canAddTo(folder) ? dropDoes(held, folder, isCopying(event)) : null;
  const end = () => {
    dragged = null;
    mark.put(null);
    hoverOpen.hover(null);
    document.documentElement.removeAttribute("data-dragging");
  };
  const hoverOpen = new HoverOpen<EntryPath>(async (folder) => {
    const held = dragged;
    if (springOpen(over)) return;
    const paths = held && await allPaths(options, held);
    if (!paths || dragged !== held || hoverOpen.target !== folder) return;
    dragged = { ...held, paths, travels: true };
    mark.put(null);
    navigation.go(folder);
  }, REST_MS);
  const listen = <K extends keyof DocumentEventMap>(
    type: K,
    listener: (event: DocumentEventMap[K]) => void,
  ) => document.addEventListener(type, listener, { signal });

  listen("pointerdown", ({ target, pointerType, button }) => {
    if (pointerType !== "mouse" || button !== 0 || !(target instanceof Element)) return;
    const row = target.closest<HTMLElement>("[data-index]");
    if (row && !target.closest("input, button")) row.draggable = target.closest(HANDLE) !== null;
  });
  listen("dragstart", (event) => {
    const index = indexOf(event.target);
    const mayMove = options.may("rename") && options.rootAccess.canAddTo(listing.path.peek());
    const mayCopy = options.may("create");
    if (index < 0 || !event.dataTransfer || event.defaultPrevented) return;
    if (!mayMove && !mayCopy) return event.preventDefault();
    if (!listing.selection.now.peek().has(index)) listing.selection.only(index);
    dragged = { paths: selectedPaths(options), mayMove, mayCopy, travels: false };
    // A row that is removed during the drag does not bubble the event to the document.
    event.target?.addEventListener("dragend", end, { signal, once: true });
    event.dataTransfer.setData(TYPE, "");
    event.dataTransfer.effectAllowed = "copyMove";
    showImage(event.dataTransfer, options);
    // After the browser has begun the drag: it would end where the layout changes below it.
    setTimeout(() => dragged && document.documentElement.setAttribute("data-dragging", ""));
  });
  listen("dragover", (event) => {
    if (dragged === null || !event.dataTransfer?.types.includes(TYPE)) return;
    const taker = favoritesAt(event.target);
    if (taker) {
      mark.put(taker);
      hoverOpen.hover(null);
      event.preventDefault();
      event.dataTransfer.dropEffect = isCopying(event) ? "copy" : "move";
      return;
    }
    const goal = dropGoal(event.target, options, dragged);
    over = goal?.element ?? null;
    const does = goal && effectOf(event, goal, dragged);
    mark.put(does ? goal.element : null);
    hoverOpen.hover(goal && opens(dragged, goal.folder, listing.path.peek()) ? goal.folder : null);
    if (!does) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = does;
  });
  listen("drop", (event) => {
    if (dragged === null || !event.dataTransfer?.types.includes(TYPE)) return;
    event.preventDefault();
    const held = dragged;
    const isStarred = favoritesAt(event.target) !== null;
    const goal = dropGoal(event.target, options, held);
    const does = goal && effectOf(event, goal, held);
    end();
    if (isStarred) {
      return void allPaths(options, held).then((paths) => paths && actions.starPaths(paths));
    }
    if (!goal || !does) return;
    // Names of selected entries that are not loaded are read first.
    void allPaths(options, held).then((paths) => paths && actions.drop(does, paths, goal.folder));
  });
  listen("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) hoverOpen.hover(null);
  });
  // The browser sends no pointer events during a drag: one means that the drag has ended.
  listen("pointermove", () => dragged && end());
  return () => {
    end();
    stopping.abort();
  };
}

function isCopying({ ctrlKey, altKey }: DragEvent): boolean {
  return ctrlKey || altKey;
}

/** The target of a drop: a folder, or the open folder if the drag began in another one. */
function dropGoal(
  target: EventTarget | null,
  options: DragOptions,
  { travels }: DragState,
): Goal | null {
  const goal = dropFolderAt(target, options);
  if (goal || !travels || !(target instanceof Element)) return goal;
  const around = target.closest(AREA);
  return around ? { folder: options.listing.path.peek(), element: around } : null;
}

/** All dragged paths, loading missing names; null when another folder has been opened since. */
async function allPaths(
  { listing }: DragOptions,
  { paths, travels }: DragState,
): Promise<readonly EntryPath[] | null> {
  if (travels) return paths;
  const from = listing.path.peek();
  const names = await listing.holdSelected()();
  if (!names.ok || listing.path.peek() !== from) return null;
  return names.value.map((name) => childOf(from, name));
}

/** The selected entries that are loaded. */
function selectedPaths({ listing }: DragOptions): EntryPath[] {
  const folder = listing.path.peek();
  return listing.selection.snapshot().names.map((name) => childOf(folder, name));
}

/** Sets the drag image: the name, or the number of entries. */
function showImage(data: DataTransfer, { listing, t }: DragOptions): void {
  const { size } = listing.selection.now.peek();
  const [name] = listing.selection.snapshot().names;
  const image = document.createElement("div");
  image.className = "drag-image";
  image.textContent = size === 1 && name !== undefined ? name : t("drag.many", { count: size });
  document.body.append(image);
  data.setDragImage(image, -12, -8);
  // The browser has captured it by the next task.
  setTimeout(() => image.remove());
}
