import type { PasskeyAnswer } from "../../../shared/schemas/passkeys.ts";
import { type ReadonlySignal, signal } from "@preact/signals";
import type { EntryPath } from "../../../shared/path.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import type { RequestInfo } from "../../../shared/schemas/request.ts";
import type { ShareInfo, ShareWithToken } from "../../../shared/schemas/share.ts";
import type { DocumentFormat, DocumentKind } from "../../../shared/document_kinds.ts";
import type { ArchiveFormat, FactorMethod } from "../../../shared/schemas/choices/choices.ts";
import type { Target } from "../files/target.ts";

/**
 * The kinds of prompts with their input and result. Closing a prompt results in null. The component
 * of each kind is in lib/client/files_page/layout/prompt_bodies.ts.
 */
export interface PromptKinds {
  /** Ask for the name of a new folder, a new file, another name. */
  newDir: { input: NameQuestion; result: string };
  newFile: { input: NameQuestion; result: string };
  /** Asks for the name of a new document, its kind and its format. */
  newDocument: { input: DocumentQuestion; result: DocumentAnswer };
  rename: { input: NameQuestion; result: string };
  /** Asks for the new names of several entries, in their order. */
  renameMany: { input: RenameManyQuestion; result: string[] };
  /** Asks for the destination of entries. */
  destination: { input: DestinationQuestion; result: EntryPath };
  /**
   * Asks for confirmation to delete: to the trash, for good, or for good as the disk has no trash;
   * `name` is set for a single entry.
   */
  delete: {
    input: { count: number; name?: string; mode: "trash" | "forGood" | "noTrash" };
    result: true;
  };
  /** Asks whether to save changes to a file before it is left. */
  discard: { input: { name: string }; result: "save" | "discard" };
  /** Asks for the name of a copy, in the folder of the file; `name` is the proposal. */
  saveAs: { input: { name: string }; result: string };
  /** Asks how to resolve name conflicts. */
  replace: { input: ReplaceQuestion; result: Choices };
  /** Asks for an archive format, an `algo` of the server; `name` is set for one folder. */
  download: { input: { count: number; name?: string }; result: ArchiveFormat };
  /** Asks for the name of an archive, without its extension at first, and for its format. */
  compress: { input: { name: string }; result: { name: string; format: ArchiveFormat } };
  /** Shows the details of entries. */
  info: { input: InfoQuestion; result: never };
  /** Shows the links to an entry, and makes new ones; true when there are more or fewer since. */
  share: { input: { path: EntryPath; name: string; isDir?: boolean }; result: true };
  /** Changes a share, and gives it back as it is then. */
  shareEdit: {
    input: { share: ShareInfo; isOwn: boolean; isFolder: boolean };
    result: ShareWithToken;
  };
  /** Shows the requests for files into a folder, and makes new ones. */
  request: { input: { path: EntryPath; name: string }; result: never };
  /** Changes a request for files, and gives it back as it is then. */
  requestEdit: { input: { request: RequestInfo }; result: RequestInfo };
  /** Asks for the user's own password; `complaint` is the error of the last attempt. */
  password: { input: { complaint?: string }; result: string };
  /** Asks for the password and a code; `complaint` is the error of the last attempt. */
  reauthentication: { input: ReauthenticationQuestion; result: Reauthentication };
  /** Asks for another name of something that is no entry. */
  relabel: { input: LabelQuestion; result: string };
  /** Asks a visitor without an account for the name that others see; "" for none. */
  visitorName: { input: { text: string }; result: string };
  /** Asks for confirmation of a deletion, or of what `act` says. */
  confirm: { input: { title: string; text?: string; act?: string }; result: true };
  /** Shows what the user did last, to be undone. */
  history: { input: Record<never, never>; result: never };
  /** Shows the keyboard shortcuts. */
  help: { input: Record<never, never>; result: never };
}

/** The input of a prompt for a name. */
export interface NameQuestion {
  /** The initial value of the field. */
  initial: string;
  isDir: boolean;
  /** Whether the name is known to be taken. */
  taken: (name: string) => boolean;
  /** The current name of the entry; `initial` when left out. */
  former?: string;
  /** The error message of `initial`. */
  complaint?: string;
}

/** The input of a prompt for a new document. */
export interface DocumentQuestion extends Pick<NameQuestion, "taken" | "complaint"> {
  /** The kind that is chosen at first. */
  kind: DocumentKind;
  /** The initial name, without an extension; one by its kind when left out. */
  initial?: string;
}

/** A new document. */
export interface DocumentAnswer {
  /** Its name, and what was typed of it. */
  name: string;
  stem: string;
  kind: DocumentKind;
  format: DocumentFormat;
}

/** The input of a prompt for the names of several entries. */
export interface RenameManyQuestion {
  entries: readonly { path: EntryPath; isDir: boolean; modified: string }[];
  /** Whether a path is known to be taken. */
  isTaken: (path: EntryPath) => boolean;
}

/** The input of a prompt for another name of something that is no entry. */
export interface LabelQuestion {
  title: string;
  /** The label of the field. */
  label: string;
  former: string;
  /** The longest name, in characters. */
  longest: number;
}

/** The input of a prompt for a folder. */
export interface DestinationQuestion {
  action: "copy" | "move" | "extract" | "upload" | "choose";
  /** The entries to copy or move, or the archive; none for an upload, or to choose a folder. */
  paths: readonly EntryPath[];
  /** The names of files to upload, or of the entries of the archive if not all are extracted. */
  names?: readonly string[];
  /** The initial folder: the entries' own. */
  start: EntryPath;
  mayCreate: boolean;
}

/** One side of a comparison: a file of this computer, or one on the server. */
export type Content = File | EntryPath;

/** The known properties of one of two conflicting entries. */
export interface EntryFacts {
  isDir: boolean;
  /** Bytes; meaningless for a folder. */
  size: number;
  /** RFC 3339. */
  modified: string;
}

/** A name conflict at a destination. */
export interface Conflict {
  name: string;
  /** The incoming and the existing entry, as far as known. */
  coming?: EntryFacts;
  there?: EntryFacts;
  /** The two files, for a comparison. */
  contents?: readonly [Content, Content];
}

/** The resolution of a conflict: replace, keep both under another name, or skip. */
export type Choice = "replace" | "keep" | "skip";

/** The resolutions by name; missing names are skipped. */
export type Choices = ReadonlyMap<string, Choice>;

/** The input of the prompt about name conflicts. */
export interface ReplaceQuestion {
  conflicts: readonly Conflict[];
  /** Whether the user may replace at all (permission `modify`). */
  mayReplace: boolean;
  /** There are further entries, so skipping one differs from cancelling. */
  others: boolean;
}

/** The input of the prompt that authenticates the user again. */
export interface ReauthenticationQuestion {
  title: string;
  text: string;
  /** The label of the button. */
  act: string;
  /** The user's factors besides the password. */
  methods: readonly FactorMethod[];
  complaint?: string;
}

/** Credentials that prove that the user asks, not somebody else in an open session. */
export interface Reauthentication {
  current_password: string;
  /** Of a user who has a second factor. */
  code?: string;
  /** In place of a code: what a passkey has signed. */
  passkey?: PasskeyAnswer;
}

/** The entries to describe, and their folder. */
export interface InfoQuestion extends Pick<Target, "folder" | "names"> {
  /** The loaded ones. */
  entries: readonly Entry[];
  /** The number of entries. */
  count: number;
}

/** The name of a prompt. */
export type PromptKind = keyof PromptKinds;

/** The props of every prompt: its input, and the two ways to end it. */
export interface PromptBodyProps<K extends PromptKind> {
  input: PromptKinds[K]["input"];
  onAnswer: (answer: PromptKinds[K]["result"]) => void;
  /** Closes it without a result. */
  onClose: () => void;
}

/** A prompt on screen; `kind` discriminates `input`, and each has its own `id`. */
export type Prompt = {
  [K in PromptKind]: { id: number; kind: K; input: PromptKinds[K]["input"] };
}[PromptKind];

interface Waiting {
  prompt: Prompt;
  settle: (answer: unknown) => void;
}

/** The queue of prompts: one is shown at a time. */
export class Prompts {
  readonly #current = signal<Prompt | null>(null);
  #queue: Waiting[] = [];
  #lastId = 0;

  /** The current prompt. */
  readonly current: ReadonlySignal<Prompt | null> = this.#current;

  /** Shows a prompt, and resolves to its result; null when it was closed. */
  open<K extends PromptKind>(
    kind: K,
    input: PromptKinds[K]["input"],
  ): Promise<PromptKinds[K]["result"] | null> {
    return new Promise((resolve) => {
      const settle = (answer: unknown) => resolve(answer as PromptKinds[K]["result"] | null);
      this.#queue.push({ prompt: { id: ++this.#lastId, kind, input } as Prompt, settle });
      this.#show();
    });
  }

  /** Resolves the current prompt; `kind` guards against resolving another. */
  answer<K extends PromptKind>(kind: K, answer: PromptKinds[K]["result"]): void {
    if (this.#current.peek()?.kind === kind) this.#settle(answer);
  }

  /** Closes the current prompt: Esc, a click beside it, a change of route. */
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
