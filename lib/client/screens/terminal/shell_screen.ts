import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { AnsiReader, type Span } from "./shell_ansi.ts";
import type { CommandEnd } from "./shell_command.ts";
import { Throttle } from "../../base/core/throttle.ts";

/** A line of output. */
export interface OutputLine {
  kind: "output";
  spans: readonly Span[];
}

/** A command; `end` is set when it has ended. */
export interface PromptLine {
  kind: "prompt";
  folder: string;
  text: string;
  end: Signal<CommandEnd | null>;
}

/** The result of a command whose prompt is far above. */
export interface EndLine {
  kind: "end";
  end: CommandEnd;
}

/** A line on the screen. */
export type ScreenLine = OutputLine | PromptLine | EndLine;

/** Lines that are rendered together; a block changes only while it is the last. */
export interface Block {
  id: number;
  lines: readonly ScreenLine[];
}

/** The number of lines of a block. */
const BLOCK = 100;

/** The most lines kept, to within one block. */
export const MOST_LINES = 3_000;

/** After more lines than this the result is repeated below the output. */
const FAR_BELOW = 20;

/** The interval at which output is shown, in milliseconds. */
const SHOW_EVERY_MS = 50;

/** The last lines that a shell has printed. */
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
  readonly blocks: ReadonlySignal<readonly Block[]> = this.#blocks;
  /** The number of lines that were dropped before them. */
  readonly dropped: ReadonlySignal<number> = this.#dropped;

  /** Shows a command with its folder, and resets the colours of the output. */
  prompt(folder: string, text: string): void {
    this.#reader = new AnsiReader();
    this.#printed = 0;
    this.#end = signal(null);
    this.#add({ kind: "prompt", folder, text, end: this.#end });
    this.#publish.flush();
  }

  /** Shows a line of output; batched when many arrive. */
  print(text: string): void {
    this.#add({ kind: "output", spans: this.#reader.line(text) });
    this.#printed++;
    this.#publish.ask();
  }

  /** Shows the result of the last command. */
  end(end: CommandEnd): void {
    this.#end.value = end;
    if (this.#printed > FAR_BELOW) this.#add({ kind: "end", end });
    this.#publish.flush();
  }

  /** Flushes the batch. */
  flush(): void {
    this.#publish.flush();
  }

  /** Clears the screen. */
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
