import { type ComponentChildren, type JSX, options, type Ref, toChildArray } from "preact";
import { useContext, useEffect } from "preact/hooks";
import { isSignal } from "../../jsonify.ts";
import { HEAD_ELEMENTS, HeadContext } from "../head.ts";
import { isPlainElement, lockSources, plainElement } from "../shared_internal.ts";

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

/** Shows an element of an island's `<Head>` in the head of the document: a new one, or one there. */
function putInHead(tag: string, props: Props, key: unknown): void {
  const text = textOf(props);
  if (tag === "title") {
    document.title = text;
    return;
  }

  const wanted = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (isAttribute(name, value)) {
      wanted.setAttribute(name, value === true ? "" : String(value));
    }
  }
  if (key !== undefined && key !== null) {
    wanted.setAttribute("data-key", String(key));
  }
  wanted.textContent = text;

  const present = findInHead(wanted);
  if (present === undefined) document.head.append(wanted);
  else if (!isSame(present, wanted)) present.replaceWith(wanted);
}

function findInHead(wanted: Element): Element | undefined {
  const candidates = [...document.head.querySelectorAll(wanted.localName)];
  const names = [
    "data-key",
    "id",
    ...(wanted.localName === "meta" ? ["name", "property"] : []),
  ];
  const name = names.find((name) => wanted.hasAttribute(name));
  if (name !== undefined) {
    const value = wanted.getAttribute(name);
    return candidates.find((candidate) => candidate.getAttribute(name) === value);
  }
  if (wanted.localName === "base") return candidates[0];
  return candidates.find((candidate) => isSame(candidate, wanted));
}

/** Compares without the nonce, which browsers hide from scripts. */
function isSame(a: Element, b: Element): boolean {
  const [left, right] = [a, b].map((element) => {
    const copy = element.cloneNode(true) as Element;
    copy.removeAttribute("nonce");
    return copy;
  });
  return left !== undefined && right !== undefined && left.isEqualNode(right);
}

function isAttribute(name: string, value: unknown): boolean {
  if (name === "children" || name === "dangerouslySetInnerHTML" || name === "ref") return false;
  return value !== null && value !== undefined && value !== false;
}

function textOf(props: Props): string {
  const html = props.dangerouslySetInnerHTML as { __html?: string } | undefined;
  if (html !== undefined) return html.__html ?? "";
  return toChildArray(props.children as ComponentChildren)
    .map((child) => isSignal(child) ? String(child.value) : typeof child === "object" ? "" : child)
    .join("");
}
