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
import { currentRender, type RenderState } from "../render_state.ts";
import { delimit } from "./markers.ts";
import { numberIds } from "./number_ids.ts";
import { isSignal, SlotRef } from "./wire.ts";

type Props = Record<string, unknown>;

const components = new WeakSet<object>();
const InsideIsland = createContext(false);
let plain = false;

/** Makes a component an island: wherever it is rendered, its output is delimited for the browser. */
export function registerIsland(component: ComponentType): void {
  components.add(component);
}

const former = options.vnode;
options.vnode = (vnode) => {
  former?.(vnode);
  if (plain || typeof vnode.type !== "function" || !components.has(vnode.type)) return;
  const { type: component, props, key } = vnode;
  Object.assign(vnode, {
    type: IslandBoundary,
    props: { component, props, islandKey: key },
  });
};

interface BoundaryProps {
  component: ComponentType<Props>;
  props: Props;
  islandKey: unknown;
}

/** Renders an island between its comments; inside another island it is an ordinary component. */
function IslandBoundary({ component, props, islandKey }: BoundaryProps): JSX.Element {
  const inside = useContext(InsideIsland);
  const state = currentRender();
  const island = state?.cache?.islands.get(component);
  if (inside || state === null || island === undefined) {
    return element(component, props);
  }

  const { rendered, sent } = splitSlots(props, state);
  state.islands.add(island);
  const index = state.islandProps.push({ island, props: sent }) - 1;
  const child = numberIds(element(component, rendered), index + 1);
  return delimit(
    { kind: "island", name: island.name, index, key: String(islandKey ?? "") },
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

function Slot(
  { id, content }: { id: number; content: ComponentChildren },
): JSX.Element {
  const slot = currentRender()?.slots[id];
  if (slot !== undefined) slot.rendered = true;
  return delimit(
    { kind: "slot", id },
    h(InsideIsland.Provider, { value: false, children: content }),
  );
}

/** Creates an element of the component itself, not of its boundary. */
function element(component: ComponentType<Props>, props: Props): JSX.Element {
  plain = true;
  try {
    return h(component, props);
  } finally {
    plain = false;
  }
}
