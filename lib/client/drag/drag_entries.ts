import type { TFunction } from "i18next";
import { childOf, type EntryPath } from "../../shared/path.ts";
import { AREA, type Goal, goalAt, GoalMark, type GoalOptions, REST_MS } from "./drag_goal.ts";
import { type Dragged, dropDoes, opens } from "./drag_rules.ts";
import type { Files } from "../navigation/files.ts";
import { indexOf } from "../listing/row_index.ts";
import { Spring } from "./spring.ts";

/** The type by which a page knows its own entries among all that may be dragged over it. */
const TYPE = "application/x-cubby-entries";

/** What of a row can be dragged by; of a selected row, and of a tile, everything can. */
const HANDLE = "a, .entry-icon, img, [aria-selected=true], [data-view]:not([data-view=list]) *";

/** What dragging works on. */
export interface DragOptions
  extends Pick<Files, "listing" | "navigation" | "actions">, Pick<GoalOptions, "folderAt"> {
  t: TFunction;
  may: (permission: "create" | "rename") => boolean;
}

/** What is dragged now. */
interface Held extends Dragged {
  /** The folder that it was taken from was left on the way: `paths` are all there are. */
  travels: boolean;
}

/**
 * Lets the mouse drag entries onto folders: rows and tiles, and every link to a folder, such as the
 * way above the listing. A drop moves; with Ctrl (Alt on a Mac) held it copies. A folder that the
 * pointer rests on opens; what is dragged can then be dropped anywhere in it.
 *
 * @returns the way to stop
 */
export function followDrags(options: DragOptions): () => void {
  const { listing, navigation, actions } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const mark = new GoalMark();
  let dragged: Held | null = null;

  const end = () => {
    dragged = null;
    mark.put(null);
    spring.over(null);
  };
  const spring = new Spring<EntryPath>(async (folder) => {
    const held = dragged;
    const paths = held && await allPaths(options, held);
    if (!paths || dragged !== held || spring.target !== folder) return;
    dragged = { ...held, paths, travels: true };
    mark.put(null);
    navigation.go(folder);
  }, REST_MS);
  const listen = <K extends keyof DocumentEventMap>(
    type: K,
    heed: (event: DocumentEventMap[K]) => void,
  ) => document.addEventListener(type, heed, { signal });

  listen("pointerdown", ({ target, pointerType, button }) => {
    if (pointerType !== "mouse" || button !== 0 || !(target instanceof Element)) return;
    const row = target.closest<HTMLElement>("[data-index]");
    if (row && !target.closest("input, button")) row.draggable = target.closest(HANDLE) !== null;
  });
  listen("dragstart", (event) => {
    const index = indexOf(event.target);
    const mayMove = options.may("rename");
    const mayCopy = options.may("create");
    if (index < 0 || !event.dataTransfer || event.defaultPrevented) return;
    if (!mayMove && !mayCopy) return event.preventDefault();
    if (!listing.selection.now.peek().has(index)) listing.selection.only(index);
    dragged = { paths: selectedPaths(options), mayMove, mayCopy, travels: false };
    // A row that is gone by then, with its folder, does not pass it on to the document.
    event.target?.addEventListener("dragend", end, { signal, once: true });
    event.dataTransfer.setData(TYPE, "");
    event.dataTransfer.effectAllowed = "copyMove";
    showImage(event.dataTransfer, options);
  });
  listen("dragover", (event) => {
    if (dragged === null || !event.dataTransfer?.types.includes(TYPE)) return;
    const goal = dropGoal(event.target, options, dragged);
    const does = goal && dropDoes(dragged, goal.folder, isCopying(event));
    mark.put(does ? goal.element : null);
    spring.over(goal && opens(dragged, goal.folder, listing.path.peek()) ? goal.folder : null);
    if (!does) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = does;
  });
  listen("drop", (event) => {
    if (dragged === null || !event.dataTransfer?.types.includes(TYPE)) return;
    event.preventDefault();
    const held = dragged;
    const goal = dropGoal(event.target, options, held);
    const does = goal && dropDoes(held, goal.folder, isCopying(event));
    end();
    if (!goal || !does) return;
    // Selected entries that are not loaded are read before anything is done.
    void allPaths(options, held).then((paths) => paths && actions.drop(does, paths, goal.folder));
  });
  listen("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) spring.over(null);
  });
  // None comes while something is dragged.
  listen("pointermove", () => dragged && end());
  return () => {
    end();
    stopping.abort();
  };
}

function isCopying({ ctrlKey, altKey }: DragEvent): boolean {
  return ctrlKey || altKey;
}

/** Where a drop here would go: into a folder, or from one that was left into the open one. */
function dropGoal(
  target: EventTarget | null,
  options: DragOptions,
  { travels }: Held,
): Goal | null {
  const goal = goalAt(target, options);
  if (goal || !travels || !(target instanceof Element)) return goal;
  const around = target.closest(AREA);
  return around ? { folder: options.listing.path.peek(), element: around } : null;
}

/** All that is dragged, read where it has to be; null when the folder has changed meanwhile. */
async function allPaths(
  { listing }: DragOptions,
  { paths, travels }: Held,
): Promise<readonly EntryPath[] | null> {
  if (travels) return paths;
  const from = listing.path.peek();
  const names = await listing.holdSelected()();
  if (!names.ok || listing.path.peek() !== from) return null;
  return names.value.map((name) => childOf(from, name));
}

/** The selected entries, as far as they are known at once. */
function selectedPaths({ listing }: DragOptions): EntryPath[] {
  const folder = listing.path.peek();
  return listing.selection.parts().names.map((name) => childOf(folder, name));
}

/** What hangs on the pointer: the one name, or how many there are. */
function showImage(data: DataTransfer, { listing, t }: DragOptions): void {
  const { size } = listing.selection.now.peek();
  const [name] = listing.selection.parts().names;
  const image = document.createElement("div");
  image.className = "drag-image";
  image.textContent = size === 1 && name !== undefined ? name : t("drag.many", { count: size });
  document.body.append(image);
  data.setDragImage(image, -12, -8);
  // The browser has drawn it by the next turn.
  setTimeout(() => image.remove());
}
