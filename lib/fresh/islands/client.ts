/**
 * The script that starts the islands of a page.
 *
 * @module
 */
import { type ComponentType, render } from "preact";
import { createRootFragment } from "preact-root-fragment";
import "./client_elements.ts";
import { markRanges, type PageMarks } from "./marks.ts";
import { islandElement, nodesBetween } from "./revive.ts";
import { reviveProps } from "./wire.ts";

/**
 * Renders each island of the page over its server-rendered markup, in a background task.
 *
 * @param components The islands that the page uses, by name.
 * @param props The serialised props of each island on the page.
 */
export function boot(
  components: Record<string, ComponentType<Record<string, unknown>>>,
  props: string,
): void {
  const page: PageMarks = { islands: new Map(), slots: new Map() };
  const outermost = markRanges(document.body, page);
  const source = {
    components: new Map(Object.entries(components)),
    props: reviveProps(props),
    page,
  };
  for (const island of outermost) {
    inBackground(() => {
      const { parentNode } = island.start;
      if (parentNode === null) return;
      const vnode = islandElement(island, source);
      let nodes = nodesBetween(island);
      if (nodes.length === 0) {
        // The root needs a node as its place; an empty text is replaced by the rendered markup.
        const place = new Text("");
        parentNode.insertBefore(place, island.end);
        nodes = [place];
      }
      render(vnode, createRootFragment(parentNode, nodes));
    });
  }
}

function inBackground(task: () => void): void {
  const { scheduler } = globalThis as { scheduler?: { postTask(task: () => void): unknown } };
  if (scheduler === undefined) setTimeout(task, 0);
  else scheduler.postTask(task);
}
