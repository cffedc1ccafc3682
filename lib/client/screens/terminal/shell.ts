import { type ReadonlySignal, signal } from "@preact/signals";
import { type EntryPath, nameOf } from "../../../shared/path.ts";
import { type CommandApi, commandCalls, runCommand } from "./shell_command.ts";
import { ShellHistory } from "./shell_history.ts";
import { ShellScreen } from "./shell_screen.ts";
import { presentFolder, useFiles } from "../../base/files/use_files.ts";
import { usePage, useShared } from "../../base/core/page.ts";
import { openLocalStorage } from "../../base/core/browser_storage.ts";
import { useShellPanel } from "../../base/core/use_panels.ts";
import { useApi } from "../../base/core/use_site.ts";

/** The dependencies of a shell. */
export interface ShellOptions {
  api: CommandApi;
  history: ShellHistory;
  /** The open folder. */
  folder: () => EntryPath;
  /** Called when a command has ended, as it may have changed the folder. */
  onEnd: () => void;
  /** Called when the user types `exit`. */
  onExit: () => void;
}

/** Runs one command line after the other in the open folder. */
export class Shell {
  readonly #options: ShellOptions;
  readonly #running = signal(false);
  #stop = new AbortController();

  /** The commands and their output. */
  readonly screen: ShellScreen = new ShellScreen();

  /** Whether a command is running; further input is refused. */
  readonly running: ReadonlySignal<boolean> = this.#running;

  /** @param options the dependencies of the shell */
  constructor(options: ShellOptions) {
    this.#options = options;
  }

  /** The earlier commands. */
  get history(): ShellHistory {
    return this.#options.history;
  }

  /** Runs a line; false while another runs. `clear` and `exit` are built in. */
  async enter(typed: string): Promise<boolean> {
    if (this.#running.peek()) return false;
    const line = typed.trim();
    this.history.add(line);
    if (line === "clear") this.screen.clear();
    else if (line === "exit") this.#options.onExit();
    else await this.#run(line);
    return true;
  }

  /** Kills the running command. */
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

/** The one shell of this page, which keeps running while its panel is closed. */
export function useShell(): Shell {
  const files = useFiles();
  const api = useApi();
  const { user } = usePage().data;
  const { open } = useShellPanel();
  return useShared("shell", () =>
    new Shell({
      api: commandCalls(api),
      history: new ShellHistory(openLocalStorage(), user?.id ?? 0),
      folder: () => presentFolder(files),
      onEnd: () => {
        if (files.listing.resource.peek()?.isDir) void files.listing.reload();
      },
      onExit: () => {
        open.value = false;
      },
    }));
}
