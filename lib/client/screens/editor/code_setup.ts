import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  indentOnInput,
} from "@codemirror/language";
import { gotoLine, openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, RangeSetBuilder } from "@codemirror/state";
import {
  type Command,
  crosshairCursor,
  Decoration,
  type DecorationSet,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import type { TFunction } from "i18next";
import { allowStyles, codeTheme, panelTheme } from "./code_theme.ts";

/** Right-to-left scripts, and the marks that change the direction. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The number of characters of a line that are checked for its direction. */
const LOOKED_AT = 500;

const automatic = Decoration.line({ attributes: { dir: "auto" } });

function turned(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const { doc } = view.state;
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to;) {
      const line = doc.lineAt(at);
      const start = doc.sliceString(line.from, Math.min(line.to, line.from + LOOKED_AT));
      if (RIGHT_TO_LEFT.test(start)) builder.add(line.from, line.from, automatic);
      at = line.to + 1;
    }
  }
  return builder.finish();
}

/** Each right-to-left line is aligned to the right by itself. */
const lineDirections: Extension = [
  EditorView.perLineTextDirection.of(true),
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = turned(view);
      }
      update(update: ViewUpdate) {
        if (update.docChanged || update.viewportChanged) this.decorations = turned(update.view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  ),
];

/** Opens the search panel with the focus in the replacement field. */
const openReplace: Command = (view) => {
  openSearchPanel(view);
  view.dom.querySelector<HTMLInputElement>("input[name=replace]")?.select();
  return true;
};

const ownKeys = [
  { key: "Mod-h", run: openReplace },
  { key: "Mod-Alt-f", run: openReplace },
  { key: "Ctrl-g", run: gotoLine },
  { key: "Alt-g", run: gotoLine },
];

/** Normalizes the line endings of pasted text, as the editor uses "\n" only. */
const evenPaste = EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?/g, "\n"));

/** The extensions of every text view: colours, line numbers, text direction. */
export function codeBase(t: TFunction): Extension {
  return [
    lineNumbers(),
    highlightSpecialChars({ render: showControl }),
    drawSelection(),
    bracketMatching(),
    lineDirections,
    EditorView.contentAttributes.of({ tabindex: "0" }),
    EditorState.phrases.of(phrasesOf(t)),
    allowStyles(document),
    codeTheme,
    panelTheme,
  ];
}

/** Undo of what is typed in this view: of a text that is edited alone. */
export const ownHistory: Extension = [history(), keymap.of(historyKeymap)];

/** The extensions of an editable text, except those that depend on the file. */
export function codeSetup(t: TFunction): Extension {
  return [
    codeBase(t),
    codeFolding(),
    foldGutter(),
    dropCursor(),
    indentOnInput(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    rectangularSelection(),
    crosshairCursor(),
    EditorState.allowMultipleSelections.of(true),
    search({ top: true }),
    evenPaste,
    keymap.of([
      ...ownKeys,
      ...searchKeymap,
      ...foldKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
  ];
}

/** Placeholder of an invisible character; a carriage return by its name, as it is frequent. */
function showControl(code: number, description: string | null, sign: string): HTMLElement {
  const shown = document.createElement("span");
  shown.className = "cm-specialChar";
  shown.textContent = code === 13 ? "CR" : sign;
  shown.title = description ?? "";
  return shown;
}

function phrasesOf(t: TFunction): Record<string, string> {
  return {
    "Find": t("editor.find"),
    "Replace": t("editor.replaceBy"),
    "next": t("editor.next"),
    "previous": t("editor.previous"),
    "all": t("editor.selectAll"),
    "match case": t("editor.matchCase"),
    "regexp": t("editor.regexp"),
    "by word": t("editor.byWord"),
    "replace": t("buttons.replace"),
    "replace all": t("editor.replaceAll"),
    "close": t("buttons.close"),
    "Go to line": t("editor.goToLine"),
    "go": t("editor.go"),
    "current match": t("editor.currentMatch"),
    "on line": t("editor.onLine"),
    "replaced $ matches": t("editor.replacedMatches"),
    "replaced match on line $": t("editor.replacedOnLine"),
    "Fold line": t("editor.fold"),
    "Unfold line": t("editor.unfold"),
    "folded code": t("editor.folded"),
    "unfold": t("editor.unfold"),
    "Control character": t("editor.controlCharacter"),
    "$ unchanged lines": t("editor.unchangedLines"),
    "Revert this chunk": t("editor.takeThis"),
    "Accept": t("editor.keepThis"),
    "Reject": t("editor.takeTheirsHere"),
  };
}
