import type { Text } from "@codemirror/state";
import { batch, computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { childOf, type EntryPath, nameOf, parentOf, parsePath } from "../../../shared/path.ts";
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
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { warnBeforeLeaving } from "../../base/navigation/leave_guard.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { useFileNews } from "../../files_page/live/use_file_news.ts";
import { useApi, usePrompts, useToasts } from "../../base/core/use_site.ts";
import type { Prompts } from "../../base/prompts/prompts.ts";

/**
 * `withheld`: the user may know of the file, but not have its text; `other`: its content is no text,
 * whatever its name.
 */
type TextStatus = "loading" | "ready" | "failed" | "withheld" | "other";

/** Whether the text on screen is saved on the server. */
type SaveState = "saved" | "unsaved" | "saving" | "failed";

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
    if (this.#isSaving.value) return "saving";
    if (!this.#isUnsaved.value) return "saved";
    return this.#trouble.value ? "failed" : "unsaved";
  });

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
    return this.#isUnsaved.peek() || this.#isSaving.peek();
  }

  /**
   * Takes a newer description of the file; updates the text unless there are unsaved changes.
   *
   * @param resource a description of the file; without its text, it is read
   */
  async offer(resource: Resource): Promise<void> {
    const tag = resource.version;
    if (tag !== undefined && this.#seen.has(tag)) return;
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
    this.#isUnsaved.value = !draft.eq(version.text);
    if (!this.#isUnsaved.peek()) this.#trouble.value = null;
  }

  /**
   * Saves the current text. Saves are sequential.
   *
   * @returns whether the server has all of it now
   */
  async save(): Promise<boolean> {
    while (this.#saving) await this.#saving;
    if (!this.#isUnsaved.peek()) return true;
    if (!this.#version.peek()?.isWritable) return false;
    this.#saving = this.#saveOnce().finally(() => this.#saving = null);
    return await this.#saving;
  }

  /** Waits until no save is under way. */
  async settled(): Promise<void> {
    while (this.#saving) await this.#saving;
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

/** Prefix of the title of a page with unsaved changes. */
const DOT = "\u2022 ";

/** The open text of a file. Unsaved changes bring up a prompt before the file is left. */
export function useTextFile(entry: Resource): TextFile {
  const { t } = useTranslation();
  const { navigation, listing } = useFiles();
  const api = useApi();
  const prompts = usePrompts();
  const toasts = useToasts();
  const { path } = parsePath(entry.path);
  const file = useMemo(() => {
    const onSaved = () => toasts.success(t("toasts.saved"));
    const made = new TextFile({ api, path, onSaved });
    // At once, so that nothing else is shown before it.
    if (entry.content !== undefined) void made.offer(entry);
    return made;
  }, [path]);

  useEffect(() => void file.offer(entry), [file, entry]);
  useFileNews(path, (version) => file.follow(version), (why) => {
    if (file.holds) file.fail(why);
    else void listing.reload();
  });
  useEffect(() => {
    const holder = { holds: () => file.holds, ask: () => askAboutUnsaved(file, prompts) };
    return navigation.guard.hold(holder);
  }, [file]);
  useEffect(() => effect(() => file.saveState.value === "saved" ? undefined : warn()), [file]);
  return file;
}

/** Makes the browser warn before the page is left; returns a function that stops it. */
function warn(): () => void {
  addEventListener("beforeunload", warnBeforeLeaving);
  document.title = DOT + document.title;
  return () => {
    removeEventListener("beforeunload", warnBeforeLeaving);
    if (document.title.startsWith(DOT)) document.title = document.title.slice(DOT.length);
  };
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

/** Saves a text under a name from a prompt, and opens the file that it is in then. */
export function useSaveAs(file: TextFile): (mine?: Text) => Promise<void> {
  const { navigation } = useFiles();
  const prompts = usePrompts();
  return async (mine = file.draft ?? undefined) => {
    if (mine === undefined) return;
    const path = await saveUnderName(file, prompts, mine);
    if (path !== null) navigation.go(path, { folder: false });
  };
}
