import { type ReadonlySignal, signal } from "@preact/signals";

/** The display time of a success message, in milliseconds. */
const SUCCESS_MS = 1000;

/** The same of one with a button, which takes longer to be read. */
const UNDOABLE_MS = 8000;

/** A button of a message. */
export interface ToastAction {
  label: string;
  /** The message is closed afterwards, unless it resolves to false. */
  run: () => unknown;
}

/** A short message at the edge of the screen. */
export interface Toast {
  id: number;
  kind: "success" | "error";
  /** Already in the user's language. */
  text: string;
  /** Takes back what the message tells of. */
  undo?: () => void;
  /** The remedy that it offers. */
  action?: ToastAction;
}

/** The toasts on screen: success messages disappear by themselves, errors stay until closed. */
export class Toasts {
  readonly #shown = signal<readonly Toast[]>([]);
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();
  #lastId = 0;

  /** The messages to show, oldest first. */
  readonly shown: ReadonlySignal<readonly Toast[]> = this.#shown;

  /**
   * Shows a success message for {@link SUCCESS_MS}; for {@link UNDOABLE_MS} if it has a button.
   *
   * @param more takes back what it tells of, or goes on from there
   * @returns its id
   */
  success(text: string, more?: (() => void) | ToastAction): number {
    const id = this.#add(
      "success",
      text,
      typeof more === "function" ? { undo: more } : { action: more },
    );
    const timer = setTimeout(() => this.close(id), more ? UNDOABLE_MS : SUCCESS_MS);
    this.#timers.set(id, timer);
    return id;
  }

  /** Shows an error until it is closed; the same text is not shown twice at once. */
  error(text: string, action?: ToastAction): void {
    const already = this.#shown.peek().some((toast) =>
      toast.kind === "error" && toast.text === text
    );
    if (!already) this.#add("error", text, { action });
  }

  /** Removes a message. */
  close(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.#shown.value = this.#shown.peek().filter((toast) => toast.id !== id);
  }

  #add(kind: Toast["kind"], text: string, actions: Pick<Toast, "undo" | "action">): number {
    const id = ++this.#lastId;
    this.#shown.value = [...this.#shown.peek(), { id, kind, text, ...actions }];
    return id;
  }
}
