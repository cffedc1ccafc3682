import { type ReadonlySignal, signal } from "@preact/signals";

/**
 * Each prompt: what it needs to know, and what it answers. Closing one answers null. A kind that is
 * added here is given its looks in components/prompt_bodies.ts.
 */
export interface PromptKinds {
  /** Asks for the name of a new folder. */
  newDir: { asks: { taken: (name: string) => boolean }; answers: string };
  /** Asks whether to delete; `name` is there when one entry is meant. */
  delete: { asks: { count: number; name?: string }; answers: true };
  /** Asks what becomes of changes to a file before it is left. */
  discard: { asks: { name: string }; answers: "save" | "discard" };
  /** Asks for the name of a copy, in the folder of the file; `name` is what is proposed. */
  saveAs: { asks: { name: string }; answers: string };
  /** Asks what to do about names that are taken. */
  replace: { asks: ReplaceQuestion; answers: ReplaceAnswer };
}

/** Names that exist already where something is about to be put. */
export interface ReplaceQuestion {
  names: string[];
  /** Whether the user may replace at all (permission `modify`). */
  mayReplace: boolean;
}

/** What happens to the taken names: overwritten, or left as they are. */
export type ReplaceAnswer = "replace" | "skip";

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
