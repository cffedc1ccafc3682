import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  indentOnInput,
} from "@codemirror/language";
import { gotoLine, openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  type Command,
  crosshairCursor,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from "@codemirror/view";
import type { TFunction } from "i18next";
import { allowStyles, codeTheme } from "./code_theme.ts";
import { lineDirections } from "./line_directions.ts";
import { panelTheme } from "./panel_theme.ts";

/** Opens the panel to find with the cursor in the field for the replacement. */
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

/** What is typed or pasted has the line ends of this computer; in the editor there is one kind. */
const evenPaste = EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?/g, "\n"));

/** How a text looks wherever one is shown: its colours, its lines, their directions. */
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

/** All that a text editor does, but for what depends on the file. */
export function codeSetup(t: TFunction): Extension {
  return [
    codeBase(t),
    history(),
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
      ...historyKeymap,
      ...foldKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
  ];
}

/** A character that is not seen by itself; a carriage return by its name, as files are full of it. */
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
