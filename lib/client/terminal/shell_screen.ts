import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { AnsiReader, type Span } from "./shell_ansi.ts";
import type { CommandEnd } from "./shell_command.ts";
import { Throttle } from "../core/throttle.ts";

/** A line of output. */
export interface OutputLine {
  kind: "output";
  spans: readonly Span[];
}

/** What was typed; how it ended is known later. */
export interface PromptLine {
  kind: "prompt";
  folder: string;
  text: string;
  end: Signal<CommandEnd | null>;
}

/** How a command ended whose prompt is far above by now. */
export interface EndLine {
  kind: "end";
  end: CommandEnd;
}

/** A line on the screen. */
export type ScreenLine = OutputLine | PromptLine | EndLine;

/** Some lines that are drawn together; they change together, and only while they are the last. */
export interface Block {
  id: number;
  lines: readonly ScreenLine[];
}

/** How many lines are one block. */
const BLOCK = 100;

/** How many lines are kept at least; as many as one block more may be there. */
export const MOST_LINES = 3_000;

/** After so many lines it is said below them, too, how the command ended. */
const FAR_BELOW = 20;

/** How often output comes on screen, in milliseconds. */
const SHOW_EVERY_MS = 50;

/** What a shell has printed: the last lines of it. */
export class ShellScreen {
  readonly #blocks = signal<readonly Block[]>([]);
  readonly #dropped = signal(0);
  readonly #publish = new Throttle(() => this.#show(), SHOW_EVERY_MS);
  #kept: Block[] = [];
  #gone = 0;
  #lastId = 0;
  #printed = 0;
  #end: Signal<CommandEnd | null> = signal(null);
  #reader = new AnsiReader();

  /** The lines to show, oldest first. */
  get blocks(): ReadonlySignal<readonly Block[]> {
    return this.#blocks;
  }

  /** How many lines were there before them. */
  get dropped(): ReadonlySignal<number> {
    return this.#dropped;
  }

  /** Shows what was typed in a folder; the colours of its output begin anew. */
  prompt(folder: string, text: string): void {
    this.#reader = new AnsiReader();
    this.#printed = 0;
    this.#end = signal(null);
    this.#add({ kind: "prompt", folder, text, end: this.#end });
    this.#publish.flush();
  }

  /** Shows a line of output, a moment later when many come. */
  print(text: string): void {
    this.#add({ kind: "output", spans: this.#reader.line(text) });
    this.#printed++;
    this.#publish.ask();
  }

  /** Shows how the command of the last prompt ended. */
  end(end: CommandEnd): void {
    this.#end.value = end;
    if (this.#printed > FAR_BELOW) this.#add({ kind: "end", end });
    this.#publish.flush();
  }

  /** Shows what is there at once. */
  flush(): void {
    this.#publish.flush();
  }

  /** Forgets all lines. */
  clear(): void {
    this.#kept = [];
    this.#gone = 0;
    this.#publish.flush();
  }

  #add(line: ScreenLine): void {
    const last = this.#kept.at(-1);
    if (last && last.lines.length < BLOCK) {
      this.#kept[this.#kept.length - 1] = { id: last.id, lines: [...last.lines, line] };
      return;
    }
    this.#kept.push({ id: ++this.#lastId, lines: [line] });
    if (this.#kept.length > MOST_LINES / BLOCK + 1) {
      this.#gone += this.#kept.shift()?.lines.length ?? 0;
    }
  }

  #show(): void {
    this.#blocks.value = [...this.#kept];
    this.#dropped.value = this.#gone;
  }
}
