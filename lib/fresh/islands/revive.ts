import { type ComponentChild, type ComponentType, Fragment, h, type JSX } from "preact";
import { numberIds } from "./number_ids.ts";
import { type IslandRange, markRanges, type PageMarks, type Range } from "./marks.ts";
import { type PageIslandProps, SlotRef } from "./wire.ts";

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
export function nodesBetween({ start, end }: Range): ChildNode[] {
  const nodes: ChildNode[] = [];
  let at = start.nextSibling;
  while (at !== null && at !== end) {
    nodes.push(at);
    at = at.nextSibling;
  }
  return nodes;
}

/** The element of an island, with the server's markup in place of its slots. */
export function islandElement({ marker }: IslandRange, source: IslandSource): JSX.Element {
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
