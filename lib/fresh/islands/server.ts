import {
  type ComponentChildren,
  type ComponentType,
  createContext,
  h,
  isValidElement,
  type JSX,
  options,
} from "preact";
import { useContext } from "preact/hooks";
import { isPlainElement, plainElement } from "../plain_element.ts";
import { currentRender, type RenderState } from "../render_state.ts";
import { delimit } from "./markers.ts";
import { numberIds } from "./number_ids.ts";
import { isSignal, SlotRef } from "./wire.ts";

type Props = Record<string, unknown>;

/** Carries the key of an island, which components do not receive. */
const KEY = "frsh:key";

const boundaries = new WeakMap<object, ComponentType<Props>>();
const InsideIsland = createContext(false);

/** Makes a component an island: wherever it is rendered, its output is delimited for the browser. */
export function registerIsland(component: ComponentType<Props>): void {
  boundaries.set(component, (props) => renderIsland(component, props));
}

const former = options.vnode;
options.vnode = (vnode) => {
  former?.(vnode);
  const { type, key } = vnode;
  if (isPlainElement() || typeof type !== "function") return;
  const boundary = boundaries.get(type);
  if (boundary === undefined) return;
  // The props stay on the element, for code that clones it and adds to them.
  Object.assign(vnode, { type: boundary });
  const isKeyed = key !== undefined && key !== null;
  if (isKeyed) Object.assign(vnode, { props: { ...vnode.props, [KEY]: String(key) } });
};

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
