import { type ReadonlySignal, signal } from "@preact/signals";
import type { EntryPath } from "../../shared/path.ts";
import type { Entry } from "../../shared/api_types.ts";
import type { Choices, ReplaceQuestion } from "../actions/conflicts.ts";
import type { Target } from "../actions/target.ts";

/**
 * Each prompt: what it needs to know, and what it answers. Closing one answers null. A kind that is
 * added here is given its looks in lib/client/prompts/prompt_bodies.ts.
 */
export interface PromptKinds {
  /** Ask for the name of a new folder, a new file, another name. */
  newDir: { asks: NameQuestion; answers: string };
  newFile: { asks: NameQuestion; answers: string };
  rename: { asks: NameQuestion; answers: string };
  /** Asks for the folder that entries are to be put into. */
  destination: { asks: DestinationQuestion; answers: EntryPath };
  /** Asks whether to delete; `name` is there when one entry is meant. */
  delete: { asks: { count: number; name?: string }; answers: true };
  /** Asks what becomes of changes to a file before it is left. */
  discard: { asks: { name: string }; answers: "save" | "discard" };
  /** Asks for the name of a copy, in the folder of the file; `name` is what is proposed. */
  saveAs: { asks: { name: string }; answers: string };
  /** Asks what to do about names that are taken. */
  replace: { asks: ReplaceQuestion; answers: Choices };
  /** Asks for a kind of archive, an `algo` of the server; `name` is there for one folder. */
  download: { asks: { count: number; name?: string }; answers: string };
  /** Shows what is known of entries. */
  info: { asks: InfoQuestion; answers: never };
  /** Shows who has a link to an entry, and makes links. */
  share: { asks: { path: EntryPath; name: string }; answers: never };
  /** Asks for the password of the one who is signed in; `complaint` tells why it asks again. */
  password: { asks: { complaint?: string }; answers: string };
  /** Asks whether something is really to go. */
  sure: { asks: { title: string; text?: string }; answers: true };
  /** Shows the keys. */
  help: { asks: Record<never, never>; answers: never };
}

/** What the name of an entry is asked for with. */
export interface NameQuestion {
  /** What the field holds at first. */
  initial: string;
  isDir: boolean;
  /** Whether something is known to have the name already. */
  taken: (name: string) => boolean;
  /** The name that is to be changed; `initial` when left out. */
  former?: string;
  /** What was wrong with `initial`. */
  complaint?: string;
}

/** What a folder is asked for with. */
export interface DestinationQuestion {
  action: "copy" | "move";
  /** What is to be put there. */
  paths: readonly EntryPath[];
  /** The folder to begin with: where it all lies. */
  start: EntryPath;
  mayCreate: boolean;
}

/** Entries to tell about, and where they lie. */
export interface InfoQuestion extends Pick<Target, "folder" | "names"> {
  /** Those that are loaded. */
  entries: readonly Entry[];
  /** How many there are. */
  count: number;
}

/** The name of a prompt. */
export type PromptKind = keyof PromptKinds;

/** A prompt that is on screen: `prompt.kind` tells its `asks`; no two have the same `id`. */
export type Prompt = {
  [K in PromptKind]: { id: number; kind: K; asks: PromptKinds[K]["asks"] };
}[PromptKind];

interface Waiting {
  prompt: Prompt;
  settle: (answer: unknown) => void;
}

/** The questions put to the user: one on screen at a time, the others wait for their turn. */
export class Prompts {
  readonly #current = signal<Prompt | null>(null);
  #queue: Waiting[] = [];
  #lastId = 0;

  /** The prompt to show. */
  get current(): ReadonlySignal<Prompt | null> {
    return this.#current;
  }

  /** Shows a prompt, and resolves to its answer; null when it was closed without one. */
  open<K extends PromptKind>(
    kind: K,
    asks: PromptKinds[K]["asks"],
  ): Promise<PromptKinds[K]["answers"] | null> {
    return new Promise((resolve) => {
      const settle = (answer: unknown) => resolve(answer as PromptKinds[K]["answers"] | null);
      this.#queue.push({ prompt: { id: ++this.#lastId, kind, asks } as Prompt, settle });
      this.#show();
    });
  }

  /** Answers the prompt on screen; `kind` guards against answering another than was shown. */
  answer<K extends PromptKind>(kind: K, answer: PromptKinds[K]["answers"]): void {
    if (this.#current.peek()?.kind === kind) this.#settle(answer);
  }

  /** Closes the prompt on screen without an answer: Esc, a click beside it, a change of route. */
  close(): void {
    this.#settle(null);
  }

  #settle(answer: unknown): void {
    this.#queue.shift()?.settle(answer);
    this.#show();
  }

  #show(): void {
    this.#current.value = this.#queue[0]?.prompt ?? null;
  }
}
