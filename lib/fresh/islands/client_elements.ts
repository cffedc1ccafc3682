/**
 * Makes `img`, `source` and the elements of `<Head>` work inside islands as they do on the server.
 *
 * @module
 */
import { type JSX, options, type Ref } from "preact";
import { useContext, useEffect } from "preact/hooks";
import { lockSources } from "../asset.ts";
import { HEAD_ELEMENTS, HeadContext } from "../head.ts";
import { isPlainElement, plainElement } from "../plain_element.ts";
import { putInHead } from "./client_head.ts";

type Props = Record<string, unknown>;

/** Carries the key and the ref of an element, which components do not receive. */
const KEY = "frsh:key";
const REF = "frsh:ref";

const replacements = new Map(HEAD_ELEMENTS.map((tag) => [tag, headElement(tag)]));

const former = options.vnode;
options.vnode = (vnode) => {
  former?.(vnode);
  const { type, key, props, ref } = vnode as JSX.Element & { ref?: Ref<unknown> };
  if (typeof type !== "string" || isPlainElement()) return;
  if (type === "img" || type === "source") Object.assign(vnode, { props: lockSources(props) });
  const replacement = replacements.get(type);
  if (replacement === undefined) return;
  const isKeyed = key !== undefined && key !== null;
  const told = { ...props, [REF]: ref, ...(isKeyed ? { [KEY]: String(key) } : {}) };
  Object.assign(vnode, { type: replacement, ref: null, props: told });
};

function headElement(tag: string): (props: Props) => JSX.Element | null {
  return function HeadElement({ [KEY]: key, [REF]: ref, ...own }) {
    const inHead = useContext(HeadContext) === "Head";
    useEffect(() => {
      if (inHead) putInHead(tag, own, key);
    });
    return inHead ? null : plainElement(tag, { ...own, ref });
  };
}
