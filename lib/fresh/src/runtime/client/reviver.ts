import { type ComponentChild, type ComponentType, Fragment, h, type JSX, render } from "preact";
import { createRootFragment } from "preact-root-fragment";
import { type PageIslandProps, reviveProps, SlotRef } from "../../jsonify.ts";
import { closes, type Marker, numberIds, readMarker } from "../shared_internal.ts";

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

/** The components, props and positions that islands are created from. */
export interface IslandSource {
  /** The components, by the name of the island. */
  components: Map<string, ComponentType<Record<string, unknown>>>;
  /** The props of each island of the page. */
  props: PageIslandProps;
  /** The positions of the islands and their slots. */
  page: PageMarks;
}

/** The nodes of a range, without its marks. */
function nodesBetween({ start, end }: Range): ChildNode[] {
  const nodes: ChildNode[] = [];
  let at = start.nextSibling;
  while (at !== null && at !== end) {
    nodes.push(at);
    at = at.nextSibling;
  }
  return nodes;
}

/** The element of an island, with the server's markup in place of its slots. */
function islandElement({ marker }: IslandRange, source: IslandSource): JSX.Element {
  const component = source.components.get(marker.name);
  if (component === undefined) throw new Error(`Cannot start island "${marker.name}": not loaded`);

  const props: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(source.props[marker.index] ?? {})) {
    props[name] = value instanceof SlotRef ? slotElement(value, source) : value;
  }
  if (marker.key !== "") props.key = marker.key;
  return numberIds(h(component, props), marker.index + 1);
}

/** Server-rendered markup as elements. Markup not shown by the island is in a template. */
function slotElement({ id }: SlotRef, source: IslandSource): JSX.Element {
  const range = source.page.slots.get(id);
  if (range !== undefined) {
    const nodes = nodesBetween(range);
    const element = h(Fragment, null, elementsOf(nodes, source));
    range.start.remove();
    range.end.remove();
    return element;
  }
  const template = document.getElementById(`frsh-slot-${id}`);
  if (!(template instanceof HTMLTemplateElement)) return h(Fragment, null);
  markRanges(template.content, source.page);
  return h(Fragment, null, elementsOf([...template.content.childNodes], source));
}

function elementsOf(nodes: Node[], source: IslandSource): ComponentChild[] {
  const elements: ComponentChild[] = [];
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    if (node instanceof Element) elements.push(elementOf(node, source));
    if (!(node instanceof Text)) continue;

    const island = source.page.islands.get(node);
    if (island === undefined) {
      elements.push(node.data);
      continue;
    }
    elements.push(islandElement(island, source));
    i = nodes.indexOf(island.end);
    island.start.remove();
    island.end.remove();
  }
  return elements;
}

function elementOf(element: Element, source: IslandSource): JSX.Element {
  const props: Record<string, unknown> = {};
  for (const { name, value } of element.attributes) {
    // A handler in markup cannot be a prop; nor can the names that Preact reserves.
    if (name.startsWith("on") || ["key", "ref", "children"].includes(name)) continue;
    props[propName(name, element)] = propValue(name, value, element);
  }
  return h(element.localName, props, elementsOf([...element.childNodes], source));
}

/** Input typed before the script ran is kept: the markup gives the default only. */
function propName(name: string, element: Element): string {
  if (element instanceof HTMLInputElement) {
    if (name === "value") return "defaultValue";
    if (name === "checked") return "defaultChecked";
  }
  return name;
}

function propValue(name: string, value: string, element: Element): unknown {
  const property: unknown = Reflect.get(element, name);
  return typeof property === "boolean" ? property : value;
}

/** A range of sibling nodes between two marks. */
export interface Range {
  start: ChildNode;
  end: ChildNode;
}

/** The range that an island rendered on the server. */
export interface IslandRange extends Range {
  marker: Marker & { kind: "island" };
}

/** The marked ranges of a page. */
export interface PageMarks {
  /** Islands by the mark they start at. */
  islands: Map<Node, IslandRange>;
  /** The slots that were rendered, by id. */
  slots: Map<number, Range>;
}

/**
 * Finds the comments of the server, puts empty text nodes in their place and notes the ranges
 * between them. An island whose comments the browser moved apart, as it does to repair a `<div>` in
 * a `<p>`, is reported and left as it is.
 *
 * @returns The islands that are in no other island.
 */
function markRanges(root: Node, page: PageMarks): IslandRange[] {
  const outermost: IslandRange[] = [];
  const open: { marker: Marker; start: Text }[] = [];
  let depth = 0;
  for (const comment of commentsBelow(root)) {
    const marker = readMarker(comment.data);
    if (marker !== null) {
      open.push({ marker, start: textInPlaceOf(comment) });
      if (marker.kind === "island") depth++;
      continue;
    }
    const last = open.at(-1);
    if (last === undefined || !closes(comment.data, last.marker.kind)) continue;
    open.pop();
    const { marker: opened, start } = last;
    if (opened.kind === "island") depth--;
    const end = textInPlaceOf(comment);
    if (start.parentNode !== end.parentNode) {
      console.error(`Cannot start island ${textOf(opened)}: its markup is invalid where it stands`);
      continue;
    }
    if (opened.kind === "slot") {
      page.slots.set(opened.id, { start, end });
      continue;
    }
    const island = { marker: opened, start, end };
    page.islands.set(start, island);
    if (depth === 0) outermost.push(island);
  }
  return outermost;
}

function commentsBelow(root: Node): Comment[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
  const comments: Comment[] = [];
  while (walker.nextNode()) comments.push(walker.currentNode as Comment);
  return comments;
}

function textInPlaceOf(comment: Comment): Text {
  const text = new Text("");
  comment.replaceWith(text);
  return text;
}

function textOf(marker: Marker): string {
  return marker.kind === "island" ? `"${marker.name}"` : `slot ${marker.id}`;
}
