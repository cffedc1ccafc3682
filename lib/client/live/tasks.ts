import { type ReadonlySignal, signal } from "@preact/signals";
import { warnBeforeLeaving } from "../core/leaving.ts";
import type { Listens } from "../core/listens.ts";

/** How long something takes before it is worth showing, in milliseconds. */
const SHOWN_AFTER_MS = 500;

/** What is being done, and to how many entries. */
export interface TaskKind {
  deed: "copy" | "move" | "delete";
  total: number;
}

/** Something under way that takes a while. */
export interface Task extends TaskKind {
  id: number;
  done: number;
  /** Gives it up: what is not begun is left, what is under way is taken back. */
  cancel: () => void;
}

/** What the work of a task is given. */
export interface TaskControl {
  signal: AbortSignal;
  /** Tells that one more entry is done. */
  step: () => void;
}

/** Copies, moves and deletions under way. Those that are soon over are never shown. */
export class Tasks {
  readonly #shown = signal<readonly Task[]>([]);
  readonly #window: Listens | null;
  #running = 0;
  #lastId = 0;

  /** @param window the browser's; null on the server */
  constructor(window: Listens | null) {
    this.#window = window;
  }

  /** Those to show, the oldest first. */
  get shown(): ReadonlySignal<readonly Task[]> {
    return this.#shown;
  }

  /**
   * Does something that may take long. While it is under way, leaving the page is warned against:
   * the server stops what nobody waits for.
   *
   * @returns whether it was given up by the user
   */
  async run(kind: TaskKind, work: (control: TaskControl) => Promise<void>): Promise<boolean> {
    const controller = new AbortController();
    const task = { ...kind, id: ++this.#lastId, done: 0, cancel: () => controller.abort() };
    const show = () => this.#put(task);
    const timer = setTimeout(show, SHOWN_AFTER_MS);
    const step = () => {
      task.done++;
      if (this.#shown.peek().some(({ id }) => id === task.id)) show();
    };
    if (this.#running++ === 0) this.#window?.addEventListener("beforeunload", warnBeforeLeaving);
    try {
      await work({ signal: controller.signal, step });
    } finally {
      clearTimeout(timer);
      this.#shown.value = this.#shown.peek().filter(({ id }) => id !== task.id);
      if (--this.#running === 0) {
        this.#window?.removeEventListener("beforeunload", warnBeforeLeaving);
      }
    }
    return controller.signal.aborted;
  }

  #put(task: Task): void {
    const others = this.#shown.peek().filter(({ id }) => id !== task.id);
    this.#shown.value = [...others, { ...task }].sort((a, b) => a.id - b.id);
  }
}
