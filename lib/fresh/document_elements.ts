import { type ComponentChildren, Fragment, h, type JSX, options } from "preact";
import { useContext } from "preact/hooks";
import { activeLinkAttributes } from "./active_link.ts";
import { lockSources } from "./asset.ts";
import { HEAD_ELEMENTS, HeadContext } from "./head.ts";
import { isPlainElement, plainElement } from "./plain_element.ts";
import { currentRender, type RenderState } from "./render_state.ts";

type Props = Record<string, unknown>;
type Element = (props: Props) => JSX.Element | null;

/** Carries the key of an element, which components do not receive. */
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

const former = options.vnode;
options.vnode = (vnode) => {
  former?.(vnode);
  const { type, key } = vnode;
  if (isPlainElement() || typeof type !== "string") return;
  const replacement = replacements.get(type);
  if (replacement === undefined) return;
  // The props stay on the element, for code that clones it and adds to them.
  Object.assign(vnode, { type: replacement });
  const isKeyed = HEAD_ELEMENTS.includes(type) && key !== undefined && key !== null;
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
