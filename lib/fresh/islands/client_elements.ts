/**
 * Makes `img`, `source` and the elements of `<Head>` work inside islands as they do on the server.
 *
 * @module
 */
import { h, type JSX, options, type Ref } from "preact";
import { useContext, useEffect } from "preact/hooks";
import { asset, assetSrcSet } from "../asset.ts";
import { HEAD_ELEMENTS, HeadContext } from "../head.ts";
import { putInHead } from "./client_head.ts";

type Props = Record<string, unknown>;

let plain = false;

const former = options.vnode;
options.vnode = (vnode) => {
  former?.(vnode);
  const { type } = vnode;
  if (typeof type !== "string" || plain) return;
  if (type === "img" || type === "source") lockSources(vnode.props as Props);
  if (!HEAD_ELEMENTS.includes(type)) return;
  const { props: own, key: elementKey, ref: elementRef } = vnode as
    & JSX.Element
    & { ref: unknown };
  Object.assign(vnode, {
    type: HeadElement,
    ref: null,
    props: { tag: type, own, elementKey, elementRef },
  });
};

interface HeadElementProps {
  tag: string;
  own: Props;
  elementKey: unknown;
  elementRef: Ref<unknown>;
}

function HeadElement({ tag, own, elementKey, elementRef }: HeadElementProps): JSX.Element | null {
  const inHead = useContext(HeadContext) === "Head";
  useEffect(() => {
    if (inHead) putInHead(tag, own, elementKey);
  });
  return inHead ? null : plainElement(tag, { ...own, ref: elementRef });
}

function lockSources(props: Props): void {
  if (props["data-fresh-disable-lock"]) return;
  if (typeof props.src === "string") props.src = asset(props.src);
  for (const name of ["srcset", "srcSet"]) {
    const value = props[name];
    if (typeof value === "string") props[name] = assetSrcSet(value);
  }
}

function plainElement(tag: string, props: Props): JSX.Element {
  plain = true;
  try {
    return h(tag, props);
  } finally {
    plain = false;
  }
}
