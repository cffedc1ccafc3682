import { redo, undo } from "@codemirror/commands";
import { gotoLine, openSearchPanel } from "@codemirror/search";
import {
  Compartment,
  EditorState,
  type Extension,
  type Text,
  Transaction,
} from "@codemirror/state";
import { type Command, EditorView, keymap } from "@codemirror/view";
import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { TFunction } from "i18next";
import { codeSetup, ownHistory } from "./code_setup.ts";
import { canWrap, type CodeLanguage, minimalChange } from "./text_tools.ts";
import type { TextFile } from "./text_file.ts";
import type { RoomText } from "./text_room.ts";

/** The position of the cursor, counted from 1, and the number of selected characters. */
export interface CodePosition {
  line: number;
  column: number;
  selected: number;
}

/** The options of a text view. */
export interface CodeViewOptions {
  parent: Element;
  file: TextFile;
  wrap: ReadonlySignal<boolean>;
  t: TFunction;
  /** The name of the text for screen readers, and the id of what explains the keys. */
  label: string;
  describedBy: string;
}

/** The text of a file on screen, with its cursor. */
export class CodeView {
  readonly #view: EditorView;
  readonly #language = new Compartment();
  readonly #wrapping = new Compartment();
  readonly #writing = new Compartment();
  readonly #history = new Compartment();
  readonly #stops: (() => void)[];
  readonly #position = signal<CodePosition>({ line: 1, column: 1, selected: 0 });
  readonly #canWrap = signal(true);
  #followed: Text | null;
  #room: RoomText | null = null;

  /** The position of the cursor. */
  readonly position: ReadonlySignal<CodePosition> = this.#position;
  /** False where a line is too long to be wrapped. */
  readonly canWrap: ReadonlySignal<boolean> = this.#canWrap;

  /** @param options what it shows, and where; the file has its text */
  constructor(options: CodeViewOptions) {
    const { parent, file, wrap } = options;
    this.#view = new EditorView({ parent, state: this.#stateOf(options) });
    this.#tellPosition(this.#view.state);
    this.#canWrap.value = canWrap(this.#view.state.doc);
    this.#followed = file.shown.peek();
    this.#stops = [
      effect(() => this.#enter(file.room.value?.text.value ?? null)),
      effect(() => this.#follow(file)),
      effect(() => this.#wrap(wrap.value && this.#canWrap.value)),
      effect(() => this.#set(this.#writing, writing(file))),
    ];
  }

  /** Colours the text by a language, once that has been loaded. */
  async speak(language: CodeLanguage): Promise<void> {
    const support = await language.load();
    this.#set(this.#language, support);
  }

  /** Focuses the text. */
  focus(): void {
    this.#view.focus();
  }

  /** Undo. */
  undo(): void {
    if (this.#room) this.#room.undo();
    else this.#run(undo);
    this.focus();
  }

  /** Redo. */
  redo(): void {
    if (this.#room) this.#room.redo();
    else this.#run(redo);
    this.focus();
  }

  /** Opens the search panel. */
  find(): void {
    openSearchPanel(this.#view);
  }

  /** Puts the cursor on a line, from 1, or on the last one, and scrolls there. */
  showLine(line: number): void {
    const { doc } = this.#view.state;
    const { from } = doc.line(Math.min(line, doc.lines));
    this.#view.dispatch({ selection: { anchor: from } });
    this.show(from);
  }

  /** Scrolls to a place: an index. */
  show(at: number): void {
    const { length } = this.#view.state.doc;
    const effects = EditorView.scrollIntoView(Math.min(at, length), { y: "center" });
    this.#view.dispatch({ effects });
  }

  /** Opens the go-to-line panel. */
  goToLine(): void {
    gotoLine(this.#view);
  }

  /** Destroys the view. */
  close(): void {
    for (const stop of this.#stops) stop();
    this.#view.destroy();
  }

  #stateOf(options: CodeViewOptions): EditorState {
    const { file, t, label, describedBy } = options;
    const save = () => {
      void file.save();
      return true;
    };
    const { lineEnding } = file.version.peek() ?? {};
    return EditorState.create({
      doc: file.draft ?? undefined,
      extensions: [
        keymap.of([{ key: "Mod-s", scope: "editor search-panel", run: save }]),
        codeSetup(t),
        lineEnding === "mixed" ? EditorState.lineSeparator.of("\n") : [],
        this.#history.of(ownHistory),
        this.#language.of([]),
        this.#wrapping.of([]),
        this.#writing.of([]),
        EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": describedBy }),
        EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
          if (docChanged) file.edited(state.doc);
          if (docChanged || selectionSet) this.#tellPosition(state);
        }),
      ],
    });
  }

  /** Connects the view with the text of a room; null for a text that is edited alone. */
  #enter(room: RoomText | null): void {
    if (this.#room === room) return;
    // Before the text is another one: what is connected would take it for typed.
    this.#set(this.#history, room ? [] : ownHistory);
    this.#room = room;
    if (!room) return;
    const changes = room.join(this.#view.state.doc);
    this.#view.dispatch({
      changes,
      annotations: Transaction.userEvent.of("input.replace.disk"),
      effects: this.#history.reconfigure(room.extension),
    });
  }

  #follow(file: TextFile): void {
    const shown = file.shown.value;
    if (this.#room) {
      this.#followed = shown;
      return;
    }
    const { doc } = this.#view.state;
    if (shown === this.#followed) return;
    this.#followed = shown;
    if (shown === null || shown.eq(doc)) return;
    this.#canWrap.value = canWrap(shown);
    this.#view.dispatch({
      changes: minimalChange(doc, shown),
      annotations: Transaction.userEvent.of("input.replace.disk"),
    });
  }

  #wrap(wraps: boolean): void {
    this.#set(this.#wrapping, wraps ? EditorView.lineWrapping : []);
  }

  #set(part: Compartment, extension: Extension): void {
    this.#view.dispatch({ effects: part.reconfigure(extension) });
  }

  #run(command: Command): void {
    command(this.#view);
    this.#view.focus();
  }

  #tellPosition({ doc, selection }: EditorState): void {
    const { head } = selection.main;
    const line = doc.lineAt(head);
    const selected = selection.ranges.reduce((sum, { from, to }) => sum + to - from, 0);
    this.#position.value = { line: line.number, column: head - line.from + 1, selected };
  }
}

/** Whether the text is editable. Read-only text keeps the cursor, to select by keyboard. */
function writing(file: TextFile): Extension {
  if (file.isWritable.value) return [];
  // No on-screen keyboard for read-only text.
  return [EditorState.readOnly.of(true), EditorView.contentAttributes.of({ inputmode: "none" })];
}
