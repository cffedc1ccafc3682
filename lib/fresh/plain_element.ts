import { type ComponentType, h, type JSX } from "preact";

type Props = Record<string, unknown>;

let making = false;

/** Creates an element that the hooks of this package leave as it is. */
export function plainElement(type: string | ComponentType<Props>, props: Props): JSX.Element {
  making = true;
  try {
    return typeof type === "string" ? h(type, props) : h(type, props);
  } finally {
    making = false;
  }
}

/** Whether the element that is being created is a plain one. */
export function isPlainElement(): boolean {
  return making;
}
