import {
  type ComponentChildren,
  type ComponentType,
  createContext,
  Fragment,
  h,
  isValidElement,
  type JSX,
  options,
} from "preact";
import { useContext } from "preact/hooks";
import type { BuildCache } from "../../build_cache.ts";
import type { Island } from "../../context.ts";
import { isSignal, serialiseProps, SlotRef } from "../../jsonify.ts";
import { HEAD_ELEMENTS, HeadContext } from "../head.ts";
import {
  activeLinkAttributes,
  delimit,
  isPlainElement,
  lockSources,
  numberIds,
  plainElement,
} from "../shared_internal.ts";

/** The property of a rendered Response that holds the nonce of its scripts and styles. */
export const NONCE: symbol = Symbol.for("__freshNonce");

/** Markup handed to an island from outside it. */
export interface SlotRecord {
  /** The prop it was handed in. */
  name: string;
  /** The markup. */
  content: unknown;
  /** Whether the island rendered it; if not, it travels in a template. */
  rendered: boolean;
}

/** The state of rendering one document. Rendering is synchronous, so only one is current. */
export class RenderState {
  /** The value of the `nonce` attribute of every script and style of the document. */
  readonly nonce: string = crypto.randomUUID().replaceAll("-", "");
  /** The islands on the page, in order of appearance. */
  readonly islands: Set<Island> = new Set();
  /** The props of each island, by its index in the page. */
  readonly islandProps: { island: Island; props: Record<string, unknown> }[] = [];
  /** The slots of the islands, by id. */
  readonly slots: SlotRecord[] = [];
  /** The elements gathered by `<Head>`, by key. */
  readonly head: Map<string, JSX.Element> = new Map();
  /** The parts of the document shell that the page renders itself. */
  readonly rendered: { html: boolean; head: boolean; body: boolean } = {
    html: false,
    head: false,
    body: false,
  };

  constructor(
    /** The path of the page, which active links are compared with. */
    readonly pathname: string,
    /** The path the application lives under. */
    readonly basePath: string,
    /** The build that the page is rendered from. */
    readonly cache: BuildCache | null,
    /** The style sheets of the route. */
    readonly css: string[],
  ) {}
}

let current: RenderState | null = null;

/** The document that is being rendered, or null outside of rendering. */
function currentRender(): RenderState | null {
  return current;
}

/** Runs `render` with `state` as the current document. */
export function withRender<T>(state: RenderState, render: () => T): T {
  const outer = current;
  current = state;
  try {
    return render();
  } finally {
    current = outer;
  }
}

type Props = Record<string, unknown>;

type Element = (props: Props) => JSX.Element | null;

/** Carries the key of an element or island, which components do not receive. */
const KEY = "frsh:key";

const replacements = new Map<string, Element>([
  ["html", shellElement("html", headMark)],
  ["head", renderHead],
  ["body", shellElement("body")],
  ["a", renderLink],
  ["img", (props) => plainElement("img", lockSources(props))],
  ["source", (props) => plainElement("source", lockSources(props))],
  ...HEAD_ELEMENTS.map((tag): [string, Element] => [tag, headElement(tag)]),
]);

const boundaries = new WeakMap<object, Element>();

/** Makes a component an island: wherever it is rendered, its output is delimited for the browser. */
export function registerIsland(component: ComponentType<Props>): void {
  boundaries.set(component, (props) => renderIsland(component, props));
}

const former = options.vnode;

options.vnode = (vnode) => {
  former?.(vnode);
  const { type, key } = vnode;
  if (isPlainElement()) return;
  const isTag = typeof type === "string";
  const replacement = isTag ? replacements.get(type) : boundaries.get(type);
  if (replacement === undefined) return;
  // The props stay on the element, for code that clones it and adds to them.
  Object.assign(vnode, { type: replacement });
  const isKeyed = (!isTag || HEAD_ELEMENTS.includes(type)) && key !== undefined && key !== null;
  if (isKeyed) Object.assign(vnode, { props: { ...vnode.props, [KEY]: String(key) } });
};

/** Placeholder of the head in a page that renders `<html>` but no `<head>`. */
export const HEAD_MARK = "<!--frsh:head-->";

/** The elements gathered by `<Head>` that replaced none of the document's own. */
export function remainingHead(state: RenderState): JSX.Element {
  const sheets = [...state.css, ...[...state.islands].flatMap((island) => island.css)];
  const links = sheets.map((href) => plainElement("link", { rel: "stylesheet", href }));
  return h(Fragment, null, ...state.head.values(), ...links);
}

function headMark(): JSX.Element {
  return h(Fragment, { UNSTABLE_comment: "frsh:head" } as Props);
}

function shellElement(tag: "html" | "body", first?: () => JSX.Element): Element {
  return (props) => {
    const state = currentRender();
    if (state === null) return plainElement(tag, props);
    state.rendered[tag] = true;
    if (first === undefined) return plainElement(tag, props);
    return plainElement(tag, { ...props, children: [first(), props.children] });
  };
}

function renderLink(props: Props): JSX.Element {
  return plainElement("a", { ...props, ...activeLinkAttributes(props, currentRender()) });
}

function renderHead(props: Props): JSX.Element {
  const state = currentRender();
  if (state === null) return plainElement("head", props);
  state.rendered.head = true;
  const children = h(HeadContext.Provider, {
    value: "document head",
    children: props.children as ComponentChildren,
  });
  return plainElement("head", { ...props, children: [children, h(RemainingHead, null)] });
}

function RemainingHead(): JSX.Element | null {
  const state = currentRender();
  return state && remainingHead(state);
}

/** A script or style gets the nonce; inside `<Head>` an element is gathered instead of rendered. */
function headElement(tag: string): Element {
  return function HeadElement({ [KEY]: elementKey, ...own }) {
    const place = useContext(HeadContext);
    const state = currentRender();
    if (state === null) return plainElement(tag, own);

    const props: Props = { ...own };
    if (tag === "script" || tag === "style") props.nonce ||= state.nonce;
    if (place === "elsewhere") return plainElement(tag, props);

    if (elementKey !== undefined) props["data-key"] = elementKey;
    const element = plainElement(tag, props);
    const key = headKey(tag, own, elementKey);
    if (place === "document head") {
      const override = state.head.get(key);
      state.head.delete(key);
      return override ?? element;
    }
    state.head.delete(key);
    state.head.set(key, element);
    return null;
  };
}

/** Two elements with the same key are the same element of the head: the later one replaces it. */
function headKey(tag: string, props: Props, key: unknown): string {
  if (key !== undefined) return `key:${key}`;
  if (tag === "title") return tag;
  const ignored = ["children", "nonce", "ref", tag === "meta" ? "content" : ""];
  const attributes = Object.keys(props)
    .filter((name) => !ignored.includes(name))
    .sort()
    .map((name) => [name, props[name]]);
  return tag + JSON.stringify(attributes);
}

const InsideIsland = createContext(false);

/** Renders an island between its comments; inside another island it is an ordinary component. */
function renderIsland(component: ComponentType<Props>, given: Props): JSX.Element {
  const { [KEY]: key = "", ...props } = given;
  const inside = useContext(InsideIsland);
  const state = currentRender();
  const island = state?.cache?.islands.get(component);
  if (inside || state === null || island === undefined) return plainElement(component, props);

  const { rendered, sent } = splitSlots(props, state);
  state.islands.add(island);
  const index = state.islandProps.push({ island, props: sent }) - 1;
  const child = numberIds(plainElement(component, rendered), index + 1);
  return delimit(
    { kind: "island", name: island.name, index, key: String(key) },
    h(InsideIsland.Provider, { value: true, children: child }),
  );
}

/** Replaces markup among the props: by a slot for the server, by a reference for the browser. */
function splitSlots(props: Props, state: RenderState): { rendered: Props; sent: Props } {
  const rendered: Props = {};
  const sent: Props = {};
  for (const [name, value] of Object.entries(props)) {
    const isMarkup = name === "children"
      ? value !== undefined && value !== null
      : isValidElement(value) && !isSignal(value);
    if (!isMarkup) {
      rendered[name] = sent[name] = value;
      continue;
    }
    const id = state.slots.push({ name, content: value, rendered: false }) - 1;
    rendered[name] = h(Slot, { id, content: value as ComponentChildren });
    sent[name] = new SlotRef(id, name);
  }
  return { rendered, sent };
}

function Slot({ id, content }: { id: number; content: ComponentChildren }): JSX.Element {
  const slot = currentRender()?.slots[id];
  if (slot !== undefined) slot.rendered = true;
  return delimit(
    { kind: "slot", id },
    h(InsideIsland.Provider, { value: false, children: content }),
  );
}

/** The inline script that starts the islands of a page; empty when it has none. */
export function bootScript(state: RenderState): string {
  const { cache, islands, basePath, nonce } = state;
  if (cache === null || (islands.size === 0 && !cache.liveReload)) return "";

  const imports = [...islands].map(({ exportName, file }, i) =>
    `import{${exportName} as i${i}}from${literal(basePath + file)};`
  );
  const registry = [...islands].map(({ name }, i) => `${literal(name)}:i${i}`);
  const code = `import{boot}from${literal(basePath + cache.clientEntry)};${imports.join("")}` +
    `boot({${registry.join(",")}},${literal(propsOf(state))});`;
  return `<script type="module" nonce="${nonce}">${code}</script>`;
}

/** The `Link` header that has the scripts of the page fetched early; null when it has none. */
export function preloadLinks(state: RenderState): string | null {
  const { cache, islands, basePath } = state;
  if (cache === null || (islands.size === 0 && !cache.liveReload)) return null;
  return [cache.clientEntry, ...[...islands].map((island) => island.file)]
    .map((file) => `<${encodeURI(basePath + file)}>; rel="modulepreload"; as="script"`)
    .join(", ");
}

function propsOf(state: RenderState): string {
  try {
    return serialiseProps(state.islandProps.map(({ props }) => props));
  } catch (error) {
    const [, index, path = ""] = /^\[?(\d+)\]?(.*)$/.exec(pathOf(error).replace(/^\./, "")) ?? [];
    const name = state.islandProps[Number(index)]?.island.name;
    throw new TypeError(
      `Cannot send the props of island "${name}" (${path || "all"}): ${error}`,
      { cause: error },
    );
  }
}

function pathOf(error: unknown): string {
  return error instanceof Error && "path" in error ? String(error.path) : "";
}

/** A string literal that is safe inside a script element: "<" cannot start a tag or a comment. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll("<", "\\u003C");
}
