import { type ReadonlySignal, signal } from "@preact/signals";
import { type EntryPath, nameOf } from "../../../shared/path.ts";
import { type CommandApi, commandCalls, runCommand } from "./shell_command.ts";
import { ShellScreen } from "./shell_screen.ts";
import { presentFolder, useFiles } from "../../base/files/use_files.ts";
import { usePage, useShared } from "../../base/core/page.ts";
import { type BrowserStorage, keepIn, openLocalStorage } from "../../base/core/browser_storage.ts";
import { useShellPanel } from "../../base/core/use_panels.ts";
import { useApi } from "../../base/core/use_site.ts";

/** The dependencies of a shell. */
interface ShellOptions {
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

/** Capacity of the history, in lines. */
export const MOST_ENTRIES = 200;

/** Longer lines are not stored, in characters; the server refuses them, too. */
const LONGEST = 8_192;

/** The history of the shell, per user, kept in local storage. */
export class ShellHistory {
  readonly #storage: Pick<BrowserStorage, "getItem" | "setItem">;
  readonly #key: string;
  #entries: string[];
  /** The index of the shown entry; the number of entries while none is. */
  #at: number;
  /** The line that was being typed when the history was opened. */
  #draft = "";

  /** @param storage `localStorage` */
  constructor(storage: Pick<BrowserStorage, "getItem" | "setItem">, userId: number) {
    this.#storage = storage;
    this.#key = `cubby-shell-${userId}`;
    this.#entries = this.#read();
    this.#at = this.#entries.length;
  }

  /** Stores a line, unless it repeats the last; lines of other tabs are kept. */
  add(line: string): void {
    const entries = this.#read();
    if (line !== "" && line.length <= LONGEST && entries.at(-1) !== line) entries.push(line);
    this.#entries = entries.slice(-MOST_ENTRIES);
    this.#at = this.#entries.length;
    this.#draft = "";
    keepIn(this.#storage, this.#key, JSON.stringify(this.#entries));
  }

  /** The previous line; null when there is none. `present` is the field's content. */
  back(present: string): string | null {
    if (this.#at === 0) return null;
    if (this.#at === this.#entries.length) this.#draft = present;
    this.#at--;
    return this.#entries[this.#at] ?? null;
  }

  /** The next line, finally the one being typed; null when that is shown. */
  forward(): string | null {
    if (this.#at >= this.#entries.length) return null;
    this.#at++;
    return this.#entries[this.#at] ?? this.#draft;
  }

  #read(): string[] {
    try {
      const stored: unknown = JSON.parse(this.#storage.getItem(this.#key) ?? "[]");
      if (!Array.isArray(stored)) return [];
      return stored.filter((line) => typeof line === "string").slice(-MOST_ENTRIES);
    } catch {
      return this.#entries ?? [];
    }
  }
}
