import { type ReadonlySignal, signal } from "@preact/signals";
import { warnBeforeLeaving } from "../navigation/leave_guard.ts";
import type { EventSourceLike } from "../core/when.ts";

/** The delay after which a task is shown, in milliseconds. */
const SHOWN_AFTER_MS = 500;

/** The action of a task and the number of entries. */
export interface TaskKind {
  action: "copy" | "move" | "delete";
  total: number;
}

/** A long-running operation. */
export interface Task extends TaskKind {
  id: number;
  done: number;
  /** Cancels it: pending entries are left, those under way are undone. */
  cancel: () => void;
}

/** The controls of a running task. */
export interface TaskControl {
  signal: AbortSignal;
  /** Counts one more entry as done. */
  step: () => void;
}

/** Copies, moves and deletions under way. Short ones are never shown. */
export class Tasks {
  readonly #shown = signal<readonly Task[]>([]);
  readonly #window: EventSourceLike | null;
  #running = 0;
  #lastId = 0;

  /** The visible tasks, oldest first. */
  readonly shown: ReadonlySignal<readonly Task[]> = this.#shown;

  /** @param window the browser's; null on the server */
  constructor(window: EventSourceLike | null) {
    this.#window = window;
  }

  /**
   * Runs a task. Until it ends the browser warns before the page is left, as the server then aborts
   * the work.
   *
   * @returns whether the user cancelled it
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
