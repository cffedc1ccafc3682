import { type ReadonlySignal, signal } from "@preact/signals";

/** The display time of a success message, in milliseconds. */
const SUCCESS_MS = 1000;

/** The same of one with a button, or with more to read. */
const LONG_MS = 8000;

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
  /** A success that is shown for longer. */
  isLong: boolean;
  /** Takes back what the message tells of. */
  undo?: () => void;
  /** The remedy that it offers. */
  action?: ToastAction;
}

/** The time that a success message has left. */
interface Countdown {
  /** Undefined while it is held. */
  timer?: ReturnType<typeof setTimeout>;
  /** In milliseconds, from `since` on. */
  left: number;
  since: number;
}

/** The toasts on screen: success messages disappear by themselves, errors stay until closed. */
export class Toasts {
  readonly #shown = signal<readonly Toast[]>([]);
  readonly #countdowns = new Map<number, Countdown>();
  #lastId = 0;

  /** The messages to show, oldest first. */
  readonly shown: ReadonlySignal<readonly Toast[]> = this.#shown;

  /**
   * Shows a success message for {@link SUCCESS_MS}; for {@link LONG_MS} if it has a button.
   *
   * @param more takes back what it tells of, or goes on from there
   * @returns its id
   */
  success(text: string, more?: (() => void) | ToastAction): number {
    const actions = typeof more === "function" ? { undo: more } : { action: more };
    return this.#succeed(text, more !== undefined, actions);
  }

  /** Shows a success message that takes longer to read, for {@link LONG_MS}. */
  tell(text: string): void {
    this.#succeed(text, true);
  }

  /** Stops the time of a message, while somebody is about to use it (WCAG 2.2.1). */
  hold(id: number): void {
    const countdown = this.#countdowns.get(id);
    if (countdown?.timer === undefined) return;
    clearTimeout(countdown.timer);
    countdown.timer = undefined;
    countdown.left -= performance.now() - countdown.since;
  }

  /** The time of a message goes on. */
  resume(id: number): void {
    const countdown = this.#countdowns.get(id);
    if (!countdown || countdown.timer !== undefined) return;
    countdown.since = performance.now();
    countdown.timer = setTimeout(() => this.close(id), Math.max(countdown.left, 0));
  }

  /**
   * Shows an error until it is closed; the same text is not shown twice at once.
   *
   * @returns its id
   */
  error(text: string, action?: ToastAction): number {
    const already = this.#shown.peek().find((toast) =>
      toast.kind === "error" && toast.text === text
    );
    return already?.id ?? this.#add({ kind: "error", text, isLong: true, action });
  }

  /** Removes a message. */
  close(id: number): void {
    clearTimeout(this.#countdowns.get(id)?.timer);
    this.#countdowns.delete(id);
    this.#shown.value = this.#shown.peek().filter((toast) => toast.id !== id);
  }

  #succeed(text: string, isLong: boolean, actions?: Pick<Toast, "undo" | "action">): number {
    const id = this.#add({ kind: "success", text, isLong, ...actions });
    this.#countdowns.set(id, { left: isLong ? LONG_MS : SUCCESS_MS, since: 0 });
    this.resume(id);
    return id;
  }

  #add(toast: Omit<Toast, "id">): number {
    const id = ++this.#lastId;
    this.#shown.value = [...this.#shown.peek(), { id, ...toast }];
    return id;
  }
}
