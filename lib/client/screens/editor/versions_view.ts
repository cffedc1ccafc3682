import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension, type Text } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { TFunction } from "i18next";
import { codeBase } from "./code_setup.ts";
import { canWrap, type CodeLanguage } from "./text_tools.ts";

/** Changes are underlined: a tint strong enough alone would make text hard to read. */
const marked = (colour: string) =>
  `linear-gradient(var(${colour}), var(${colour})) bottom / 100% 2px no-repeat !important`;

const button = {
  minBlockSize: "2.75rem",
  padding: "0 var(--space-3)",
  margin: "0",
  border: "1px solid var(--line)",
  borderRadius: "var(--radius-m)",
  font: "var(--medium) var(--size-s) / 1 var(--font)",
  color: "var(--text) !important",
  background: "var(--raised) !important",
  cursor: "pointer",
};

/** Two versions of a text in the page's theme. */
const versionsTheme: Extension = EditorView.theme({
  "& .cm-changedLine": {
    backgroundColor: "color-mix(in oklab, var(--success) 9%, transparent)",
  },
  "&.cm-merge-a .cm-changedLine": {
    backgroundColor: "color-mix(in oklab, var(--danger) 8%, transparent)",
  },
  "& .cm-changedText": { background: marked("--success") },
  "&.cm-merge-a .cm-changedText": { background: marked("--danger") },
  "& .cm-changedLineGutter": { background: "var(--success)" },
  "& .cm-deletedLineGutter": { background: "var(--danger)" },
  "&.cm-merge-a .cm-changedLineGutter": { background: "var(--danger)" },
  "& .cm-deletedChunk": {
    backgroundColor: "color-mix(in oklab, var(--danger) 8%, transparent)",
    paddingInline: "var(--space-2)",
  },
  // Each line has the direction of its own text, as in the editor.
  "& .cm-deletedChunk .cm-deletedLine": { unicodeBidi: "plaintext", textAlign: "start" },
  "& .cm-deletedChunk .cm-deletedText": { background: marked("--danger") },
  "& .cm-deletedChunk .cm-chunkButtons": {
    position: "static",
    display: "flex",
    gap: "var(--space-2)",
    paddingBlock: "var(--space-2)",
  },
  "& .cm-deletedChunk .cm-chunkButtons button": button,
  "& .cm-collapsedLines": {
    padding: "var(--space-2) var(--space-3)",
    fontFamily: "var(--font)",
    fontSize: "var(--size-xs)",
    color: "var(--text-soft)",
    background: "var(--sunken)",
    textAlign: "center",
  },
  "& .cm-collapsedLines::before, & .cm-collapsedLines::after": { display: "none" },
});

/** The options of a view of two versions. */
export interface VersionsViewOptions {
  parent: Element;
  mine: Text;
  theirs: Text;
  /** The label of each. */
  names: { mine: string; theirs: string };
  /** To look at only: nothing can be typed or taken over. */
  isReadOnly?: boolean;
  /** Too narrow for two columns: show a unified diff. */
  isNarrow: boolean;
  language: CodeLanguage | null;
  t: TFunction;
}

/** Unchanged lines are folded, except for some around each change. */
const folded = { margin: 3, minSize: 6 };

/** A diff of two versions of a text; changes of the other one can be taken over. */
export class VersionsView {
  readonly #view: MergeView | EditorView;
  readonly #mine: EditorView;

  private constructor(view: MergeView | EditorView, mine: EditorView) {
    this.#view = view;
    this.#mine = mine;
  }

  /** Shows the versions. */
  static async open(options: VersionsViewOptions): Promise<VersionsView> {
    const { parent, mine, theirs, names, isReadOnly = false, isNarrow, t } = options;
    const support = await options.language?.load().catch(() => null);
    const wrapping = canWrap(mine) && canWrap(theirs) ? EditorView.lineWrapping : [];
    const base = [codeBase(t), versionsTheme, support ?? [], wrapping];
    const own = [base, named(names.mine), EditorState.readOnly.of(isReadOnly)];
    if (isNarrow) {
      const changes = unifiedMergeView({
        original: theirs,
        collapseUnchanged: folded,
        mergeControls: !isReadOnly,
      });
      const view = new EditorView({ parent, doc: mine, extensions: [own, changes] });
      return new VersionsView(view, view);
    }
    const other = [base, named(names.theirs), EditorState.readOnly.of(true)];
    const view = new MergeView({
      parent,
      a: { doc: theirs, extensions: other },
      b: { doc: mine, extensions: own },
      revertControls: isReadOnly ? undefined : "a-to-b",
      renderRevertControl: () => takeButton(t),
      collapseUnchanged: folded,
    });
    return new VersionsView(view, view.b);
  }

  /** The user's own version, including changes taken over. */
  get mine(): Text {
    return this.#mine.state.doc;
  }

  /** Destroys the view. */
  close(): void {
    this.#view.destroy();
  }
}

function named(label: string): Extension {
  return EditorView.contentAttributes.of({ "aria-label": label });
}

function takeButton(t: TFunction): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "\u2192";
  button.title = t("editor.takeThis");
  button.setAttribute("aria-label", button.title);
  return button;
}
