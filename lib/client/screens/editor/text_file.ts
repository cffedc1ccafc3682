import type { Text } from "@codemirror/state";
import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import { childOf, type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";
import type { Resource } from "../../../shared/schemas/entry.ts";
import type { Failure, Result } from "../../../shared/result.ts";
import {
  createVersion,
  NO_TEXT,
  readVersion,
  saveVersion,
  type TextApi,
  type TextVersion,
  versionOf,
} from "./text_version.ts";
import type { Prompts } from "../../base/prompts/prompts.ts";
import type { TextRoom } from "./text_room.ts";

/**
 * `withheld`: the user may know of the file, but not have its text; `other`: its content is no text,
 * whatever its name.
 */
type TextStatus = "loading" | "ready" | "failed" | "withheld" | "other";

/** Whether the text on screen is saved on the server. */
type SaveState = "saved" | "unsaved" | "saving" | "failed";

/** A text with changes that could not be sent before its file was moved or deleted. */
interface LostText {
  path: string;
  text: Text;
  /** Removes it from the browser. */
  forget(): Promise<void>;
}

/** The dependencies of an open text. */
interface TextFileOptions {
  api: TextApi;
  path: EntryPath;
  /** Called when a version has been saved. */
  onSaved: () => void;
}

/**
 * An open text file. It is saved only over the version that it was loaded from; if the file has
 * changed in between, both versions are kept until the user resolves the conflict.
 */
export class TextFile {
  readonly #options: TextFileOptions;
  readonly #status = signal<TextStatus>("loading");
  readonly #trouble = signal<Failure | null>(null);
  readonly #version = signal<TextVersion | null>(null);
  readonly #shown = signal<Text | null>(null);
  readonly #theirs = signal<TextVersion | null>(null);
  readonly #isUnsaved = signal(false);
  readonly #isSaving = signal(false);
  readonly #isStale = signal(false);
  readonly #room = signal<TextRoom | null>(null);
  readonly #hasParted = signal(false);
  readonly #hasMoved = signal(false);
  readonly #lost = signal<readonly LostText[]>([]);
  readonly #seen = new Set<string>();
  #draft: Text | null = null;
  #offered: Resource | null = null;
  #saving: Promise<boolean> | null = null;

  /** Whether a text is loaded. */
  readonly status: ReadonlySignal<TextStatus> = this.#status;
  /** The failure of reading the text, or of the last save. */
  readonly trouble: ReadonlySignal<Failure | null> = this.#trouble;
  /** The version on the server that the text on screen comes from. */
  readonly version: ReadonlySignal<TextVersion | null> = this.#version;
  /** The text for the editor; it changes when the text changes other than by typing. */
  readonly shown: ReadonlySignal<Text | null> = this.#shown;
  /** The conflicting version, until the user has resolved the conflict. */
  readonly theirs: ReadonlySignal<TextVersion | null> = this.#theirs;
  /** The file has changed on the server while there are unsaved changes. */
  readonly isStale: ReadonlySignal<boolean> = this.#isStale;
  /** Whether the text on screen is saved on the server. */
  readonly saveState: ReadonlySignal<SaveState> = computed(() => {
    const room = this.#room.value;
    if (room) {
      if (room.state.value === "failed") return "failed";
      return room.isOutstanding.value ? "saving" : "saved";
    }
    if (this.#isSaving.value) return "saving";
    if (!this.#isUnsaved.value) return "saved";
    return this.#trouble.value ? "failed" : "unsaved";
  });

  /** The room in which the text is edited with others; null while it is edited alone. */
  readonly room: ReadonlySignal<TextRoom | null> = this.#room;
  /** Whether the room was closed to the user; {@linkcode TextFile.trouble} is the reason. */
  readonly hasParted: ReadonlySignal<boolean> = this.#hasParted;
  /** The file of the room is not where it was. */
  readonly hasMoved: ReadonlySignal<boolean> = this.#hasMoved;
  /** Texts of other files that are kept in this browser alone. */
  readonly lost: ReadonlySignal<readonly LostText[]> = this.#lost;
  /** Whether the text can be changed. */
  readonly isWritable: ReadonlySignal<boolean> = computed(() =>
    this.#room.value?.mayEdit.value ?? this.#version.value?.isWritable ?? false
  );

  /** @param options the dependencies of the text */
  constructor(options: TextFileOptions) {
    this.#options = options;
  }

  /** The path of the file. */
  get path(): EntryPath {
    return this.#options.path;
  }

  /** The current text; null while there is none. */
  get draft(): Text | null {
    return this.#draft;
  }

  /** Whether there are unsaved changes. */
  get holds(): boolean {
    const room = this.#room.peek();
    if (room) return room.isOutstanding.peek();
    return this.#isUnsaved.peek() || this.#isSaving.peek();
  }

  /**
   * Takes a newer description of the file; updates the text unless there are unsaved changes.
   *
   * @param resource a description of the file; without its text, it is read
   */
  async offer(resource: Resource): Promise<void> {
    const tag = resource.version;
    if (this.#room.peek() || (tag !== undefined && this.#seen.has(tag))) return;
    const version = versionOf(resource);
    if (version === null || tag === undefined) return await this.load();
    if (this.#isSaving.peek()) {
      this.#offered = resource;
      return;
    }
    if (this.#isUnsaved.peek()) this.#isStale.value = true;
    else this.#adopt(version);
  }

  /** Reads the file again if the server has another version; see {@linkcode TextFile.offer}. */
  async follow(tag: string | undefined): Promise<void> {
    this.#hasMoved.value = false;
    if (this.#room.peek()) return;
    if (this.#trouble.peek()?.code === "not_found") this.#trouble.value = null;
    if (tag === undefined || this.#seen.has(tag) || this.#isStale.peek()) return;
    const answer = await this.#options.api.resource(this.path, { offset: 0, limit: 1 });
    if (answer.ok && answer.value.content !== undefined) await this.offer(answer.value);
  }

  /** Loads the text, unless it is loaded. */
  async load(): Promise<void> {
    if (this.#version.peek()) return;
    batch(() => {
      this.#status.value = "loading";
      this.#trouble.value = null;
    });
    const answer = await readVersion(this.#options.api, this.path);
    if (answer.ok && answer.value) return this.#adopt(answer.value);
    batch(() => {
      if (answer.ok) this.#status.value = "withheld";
      else if (answer.code === NO_TEXT) this.#status.value = "other";
      else [this.#status.value, this.#trouble.value] = ["failed", answer];
    });
  }

  /** Takes the typed text. */
  edited(draft: Text): void {
    const version = this.#version.peek();
    if (version === null) return;
    this.#draft = draft;
    if (this.#room.peek()) return;
    this.#isUnsaved.value = !draft.eq(version.text);
    if (!this.#isUnsaved.peek()) this.#trouble.value = null;
  }

  /**
   * Saves the current text. Saves are sequential.
   *
   * @returns whether the server has all of it now
   */
  async save(): Promise<boolean> {
    const room = this.#room.peek();
    if (room) return await room.save();
    while (this.#saving) await this.#saving;
    if (!this.#isUnsaved.peek()) return true;
    if (!this.isWritable.peek()) return false;
    this.#saving = this.#saveOnce().finally(() => this.#saving = null);
    return await this.#saving;
  }

  /** Waits until no save is under way. */
  async settled(): Promise<void> {
    await this.#room.peek()?.settled();
    while (this.#saving) await this.#saving;
  }

  /** Edits the text in a room, with others: what is typed is saved by itself. */
  enter(room: TextRoom): void {
    batch(() => {
      this.#room.value = room;
      this.#trouble.value = null;
      this.#theirs.value = null;
      this.#isUnsaved.value = false;
      this.#isStale.value = false;
    });
  }

  /** Takes the text of the room for what is shown of it besides the view. */
  showRoom(): void {
    if (this.#room.peek() && this.#draft) this.#shown.value = this.#draft;
  }

  /** Notes that the server has written the text of the room. @param tag its version now */
  written(tag: string): void {
    const version = this.#version.peek();
    if (version === null) return;
    batch(() => {
      const now = { ...version, text: this.#draft ?? version.text, tag };
      this.#note(now);
      this.#version.value = now;
      this.#trouble.value = null;
    });
  }

  /** Offers a text of another file that is kept in this browser alone. */
  addLost(lost: LostText): void {
    this.#lost.value = [...this.#lost.peek(), lost];
  }

  /** Forgets such a text. */
  async forgetLost(lost: LostText): Promise<void> {
    this.#lost.value = this.#lost.peek().filter((each) => each !== lost);
    await lost.forget();
  }

  /** Notes that the file is not where it was: a room follows it, until it is known to be deleted. */
  noteMoved(): void {
    this.#hasMoved.value = true;
  }

  /**
   * The room is closed to the user, as the file is not there any more, or no longer the user's to
   * edit. The text stays, as unsaved. One that can still be saved, but only by one alone, is
   * compared with the file.
   */
  async part(why: Failure): Promise<void> {
    batch(() => {
      const version = this.#version.peek();
      const isBarred = why.code === "forbidden" || why.code === "read_only";
      if (version && isBarred) this.#version.value = { ...version, isWritable: false };
      this.#room.value = null;
      this.#hasMoved.value = false;
      this.#hasParted.value = isBarred;
      this.#trouble.value = why;
      this.#isUnsaved.value = true;
    });
    if (why.code !== NO_TEXT && why.code !== "body_too_large") return;
    const answer = await this.#options.api.resource(this.path, { offset: 0, limit: 1 });
    if (!answer.ok || versionOf(answer.value) === null || this.#trouble.peek() !== why) return;
    this.#trouble.value = null;
    await this.offer(answer.value);
  }

  /** Shows the server's version beside the unsaved one, to choose from. */
  async compare(): Promise<void> {
    const answer = await readVersion(this.#options.api, this.path);
    const draft = this.#draft;
    if (!answer.ok) return this.fail(answer);
    const theirs = answer.value;
    if (theirs === null || draft === null) return;
    if (!this.#isUnsaved.peek() || theirs.text.eq(draft)) return this.#adopt(theirs);
    this.#theirs.value = theirs;
  }

  /** Continues editing; the next save brings up the conflict again. */
  chooseLater(): void {
    batch(() => {
      this.#theirs.value = null;
      this.#isStale.value = true;
    });
  }

  /** Saves a text over the other version. */
  async keepMine(mine: Text): Promise<boolean> {
    const theirs = this.#theirs.peek();
    const version = this.#version.peek();
    if (theirs === null || version === null) return false;
    batch(() => {
      this.#note(theirs);
      this.#version.value = { ...version, text: theirs.text, tag: theirs.tag };
      this.#theirs.value = null;
      this.#draft = mine;
      this.#shown.value = mine;
      this.#isUnsaved.value = true;
    });
    return await this.save();
  }

  /** Discards the unsaved text for the other version. */
  takeTheirs(): void {
    const theirs = this.#theirs.peek();
    if (theirs) this.#adopt(theirs);
  }

  /** Saves a text as another file, with this one's encoding and line endings; false on failure. */
  async saveAs(to: EntryPath, mine: Text): Promise<boolean> {
    const version = this.#version.peek();
    if (version === null) return false;
    const saved = await createVersion(this.#options.api, to, mine, version);
    if (!saved.ok) {
      this.fail(saved);
      return false;
    }
    this.discard();
    this.#options.onSaved();
    return true;
  }

  /** Recreates a deleted file from the unsaved text. */
  async putBack(): Promise<void> {
    const version = this.#version.peek();
    const draft = this.#draft;
    if (version === null || draft === null) return;
    this.#isSaving.value = true;
    const saved = await createVersion(this.#options.api, this.path, draft, version);
    this.#settle(draft, version, saved);
  }

  /** Changes the encoding of the file, and saves it. */
  async saveIn(encoding: string): Promise<boolean> {
    const version = this.#version.peek();
    if (version) this.#version.value = { ...version, encoding };
    return await this.save();
  }

  /** Discards unsaved changes. */
  discard(): void {
    this.#room.peek()?.discard();
    batch(() => {
      this.#theirs.value = null;
      this.#trouble.value = null;
      this.#isUnsaved.value = false;
    });
  }

  async #saveOnce(): Promise<boolean> {
    const version = this.#version.peek();
    const draft = this.#draft;
    if (version === null || draft === null) return false;
    this.#isSaving.value = true;
    const saved = await saveVersion(this.#options.api, this.path, draft, version);
    return await this.#settle(draft, version, saved);
  }

  async #settle(
    draft: Text,
    version: TextVersion,
    saved: Result<string | undefined>,
  ): Promise<boolean> {
    if (!saved.ok) {
      if (saved.code === "precondition_failed") await this.compare();
      else this.fail(saved);
      this.#rest();
      return !this.#isUnsaved.peek();
    }
    batch(() => {
      const now = { ...version, text: draft, tag: saved.value };
      this.#note(now);
      this.#version.value = now;
      this.#trouble.value = null;
      this.#isStale.value = false;
      this.#isUnsaved.value = this.#draft !== null && !this.#draft.eq(draft);
      this.#rest();
    });
    this.#options.onSaved();
    return !this.#isUnsaved.peek();
  }

  /** Handles a description that arrived during a save. */
  #rest(): void {
    this.#isSaving.value = false;
    const offered = this.#offered;
    this.#offered = null;
    if (offered) void this.offer(offered);
  }

  #adopt(version: TextVersion): void {
    batch(() => {
      this.#note(version);
      this.#draft = version.text;
      this.#version.value = version;
      this.#shown.value = version.text;
      this.#theirs.value = null;
      this.#trouble.value = null;
      this.#isStale.value = false;
      this.#isUnsaved.value = false;
      this.#status.value = "ready";
    });
  }

  #note({ tag }: TextVersion): void {
    if (tag !== undefined) this.#seen.add(tag);
  }

  /** Shows why the text cannot be read or saved. */
  fail(why: Failure): void {
    this.#trouble.value = why;
  }
}

type Asks = Pick<Prompts, "open">;

/** Asks about the unsaved changes of a text; true when none are left. */
export async function askAboutUnsaved(file: TextFile, prompts: Asks): Promise<boolean> {
  await file.settled();
  if (!file.holds) return true;
  const answer = await prompts.open("discard", { name: nameOf(file.path) });
  if (answer === "discard") file.discard();
  return answer === "discard" || (answer === "save" && await file.save());
}

/**
 * Asks for a name and saves a text under it, in the folder of its original file.
 *
 * @returns its path; null when it was not saved
 */
export async function saveUnderName(
  file: TextFile,
  prompts: Asks,
  mine: Text,
): Promise<EntryPath | null> {
  const name = await prompts.open("saveAs", { name: nameOf(file.path) });
  if (name === null) return null;
  const to = childOf(parentOf(file.path), name);
  return await file.saveAs(to, mine) ? to : null;
}
