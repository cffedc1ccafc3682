import { type ReadonlySignal, signal } from "@preact/signals";
import { type EntryPath, nameOf } from "../../shared/path.ts";
import { type CommandApi, runCommand } from "./shell_command.ts";
import type { ShellHistory } from "./shell_history.ts";
import { ShellScreen } from "./shell_screen.ts";

/** What a shell works with. */
export interface ShellOptions {
  api: CommandApi;
  history: ShellHistory;
  /** The folder on screen. */
  folder: () => EntryPath;
  /** Told when a command has ended: it may have changed the folder. */
  onEnd: () => void;
  /** Told when somebody types `exit`. */
  onExit: () => void;
}

/** Takes one command line after the other and runs each in the folder on screen. */
export class Shell {
  readonly #options: ShellOptions;
  readonly #running = signal(false);
  #stop = new AbortController();

  /** What was typed and printed. */
  readonly screen: ShellScreen = new ShellScreen();

  /** @param options what it works with */
  constructor(options: ShellOptions) {
    this.#options = options;
  }

  /** Whether a command runs: nothing else is taken meanwhile. */
  get running(): ReadonlySignal<boolean> {
    return this.#running;
  }

  /** What was typed before. */
  get history(): ShellHistory {
    return this.#options.history;
  }

  /** Takes a line; false while another runs. `clear` and `exit` are answered here. */
  async enter(typed: string): Promise<boolean> {
    if (this.#running.peek()) return false;
    const line = typed.trim();
    this.history.add(line);
    if (line === "clear") this.screen.clear();
    else if (line === "exit") this.#options.onExit();
    else await this.#run(line);
    return true;
  }

  /** Ends the command that runs. */
  interrupt(): void {
    this.#stop.abort();
  }

  async #run(line: string): Promise<void> {
    const { api, folder, onEnd } = this.#options;
    const at = folder();
    this.screen.prompt(nameOf(at), line);
    if (line === "") return;
    const { signal } = this.#stop = new AbortController();
    this.#running.value = true;
    const onLine = (text: string) => this.screen.print(text);
    this.screen.end(await runCommand(api, { at, line, onLine, signal }));
    this.#running.value = false;
    onEnd();
  }
}
