import { type ComponentChildren, Fragment, h, type JSX, options } from "preact";
import { useContext } from "preact/hooks";
import { asset, assetSrcSet } from "./asset.ts";
import { HEAD_ELEMENTS, HeadContext } from "./head.ts";
import { activeLinkAttributes } from "./active_link.ts";
import { currentRender, type RenderState } from "./render_state.ts";

type Props = Record<string, unknown>;
type Element = (
  props: { own: Props; elementKey: unknown },
) => JSX.Element | null;

const replacements = new Map<string, Element>([
  ["html", shellElement("html", headMark)],
  ["head", ({ own }) => renderHead(own)],
  ["body", shellElement("body")],
  [
    "a",
    ({ own }) =>
      plainElement("a", {
        ...own,
        ...activeLinkAttributes(own, currentRender()),
      }),
  ],
  ["img", ({ own }) => plainElement("img", lockSources(own))],
  ["source", ({ own }) => plainElement("source", lockSources(own))],
  ...HEAD_ELEMENTS.map((tag): [string, Element] => [tag, headElement(tag)]),
]);
let plain = false;

const former = options.vnode;
options.vnode = (vnode) => {
  former?.(vnode);
  if (plain || typeof vnode.type !== "string") return;
  const replacement = replacements.get(vnode.type);
  if (replacement === undefined) return;
  Object.assign(vnode, {
    type: replacement,
    props: { own: vnode.props, elementKey: vnode.key },
  });
};

/** Where the head goes when the page renders `<html>` but no `<head>`. */
export const HEAD_MARK = "<!--frsh:head-->";

/** The elements gathered by `<Head>` that replaced none of the document's own. */
export function remainingHead(state: RenderState): JSX.Element {
  const links = [
    ...state.css,
    ...[...state.islands].flatMap((island) => island.css),
  ]
    .map((href) => plainElement("link", { rel: "stylesheet", href }));
  return h(Fragment, null, ...state.head.values(), ...links);
}

function headMark(): JSX.Element {
  return h(Fragment, { UNSTABLE_comment: "frsh:head" } as Props);
}

function shellElement(tag: "html" | "body", first?: () => JSX.Element): Element {
  return ({ own }) => {
    const state = currentRender();
    if (state === null) return plainElement(tag, own);
    state.rendered[tag] = true;
    if (first === undefined) return plainElement(tag, own);
    return plainElement(tag, { ...own, children: [first(), own.children] });
  };
}

function renderHead(own: Props): JSX.Element {
  const state = currentRender();
  if (state === null) return plainElement("head", own);
  state.rendered.head = true;
  const children = h(HeadContext.Provider, {
    value: "document head",
    children: own.children as ComponentChildren,
  });
  return plainElement("head", {
    ...own,
    children: [children, h(RemainingHead, null)],
  });
}

function RemainingHead(): JSX.Element | null {
  const state = currentRender();
  return state && remainingHead(state);
}

/** A script or style gets the nonce; inside `<Head>` an element is gathered instead of rendered. */
function headElement(tag: string): Element {
  return function HeadElement({ own, elementKey }) {
    const place = useContext(HeadContext);
    const state = currentRender();
    if (state === null) return plainElement(tag, own);

    const props: Props = { ...own };
    const isKeyed = elementKey !== undefined && elementKey !== null && place !== "elsewhere";
    if (isKeyed) props["data-key"] = String(elementKey);
    if ((tag === "script" || tag === "style") && !props.nonce) {
      props.nonce = state.nonce;
    }
    const element = plainElement(tag, props);
    if (place === "elsewhere") return element;

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
  if (key !== undefined && key !== null) return `key:${key}`;
  if (tag === "title") return tag;
  const ignored = [
    "children",
    "nonce",
    "ref",
    ...(tag === "meta" ? ["content"] : []),
  ];
  const attributes = Object.keys(props)
    .filter((name) => !ignored.includes(name))
    .sort()
    .map((name) => [name, props[name]]);
  return tag + JSON.stringify(attributes);
}

function lockSources(props: Props): Props {
  if (props["data-fresh-disable-lock"]) return props;
  const locked = { ...props };
  if (typeof props.src === "string") locked.src = asset(props.src);
  for (const name of ["srcset", "srcSet"]) {
    const value = props[name];
    if (typeof value === "string") locked[name] = assetSrcSet(value);
  }
  return locked;
}

/** Creates the element itself, not its replacement. */
function plainElement(tag: string, props: Props): JSX.Element {
  plain = true;
  try {
    return h(tag, props);
  } finally {
    plain = false;
  }
}
