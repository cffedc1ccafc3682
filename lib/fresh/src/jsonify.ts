import { computed, Signal, signal } from "@preact/signals";
import { parse, stringify } from "devalue";

/** Placeholder of server-rendered markup among the props of an island. */
export class SlotRef {
  constructor(
    /** The number of the slot on the page. */
    readonly id: number,
    /** The prop it is handed in. */
    readonly name: string,
  ) {}
}

/** The props of every island of a page, in order of appearance. */
export type PageIslandProps = Record<string, unknown>[];

/**
 * Serialises the props of all islands of a page together, so that what two of them share stays
 * one value. Signals stay signals; class instances become plain objects.
 *
 * @throws {Error} with the `path` of a value that cannot be sent, such as a function.
 */
export function serialiseProps(props: PageIslandProps): string {
  return stringify(props, {
    Slot: (value) => value instanceof SlotRef && [value.id, value.name],
    Computed: (value) => isSignal(value) && !isWritable(value) && [value.peek()],
    Signal: (value) => isSignal(value) && [value.peek()],
    Instance: (value) => isInstance(value) && { ...value },
  });
}

/** The inverse of {@linkcode serialiseProps}. */
export function reviveProps(text: string): PageIslandProps {
  return parse(text, {
    Slot: ([id, name]: [number, string]) => new SlotRef(id, name),
    Computed: ([value]: [unknown]) => computed(() => value),
    Signal: ([value]: [unknown]) => signal(value),
    Instance: (value: unknown) => value,
  });
}

/** Whether a value is a signal. Check this before JSX: a signal looks like an element, too. */
export function isSignal(value: unknown): value is Signal<unknown> {
  return value instanceof Signal;
}

function isWritable(value: Signal<unknown>): boolean {
  return Object.getPrototypeOf(value) === Signal.prototype;
}

function isInstance(value: unknown): value is Record<string, unknown> {
  if (Object.prototype.toString.call(value) !== "[object Object]") return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}
