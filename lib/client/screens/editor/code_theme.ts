import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The editor in the colours and sizes of the page, light and dark. */
const look = EditorView.theme({
  "&": { blockSize: "100%", color: "var(--text)", backgroundColor: "var(--surface)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--font-mono)",
    fontSize: "var(--size-s)",
    lineHeight: "1.6",
    overscrollBehavior: "contain",
  },
  // iOS zooms into editable text that is smaller.
  "@media (pointer: coarse)": {
    ".cm-scroller:has(> .cm-content[contenteditable=true])": { fontSize: "max(1rem, 16px)" },
  },
  ".cm-content": { paddingBlock: "var(--space-3) var(--space-16)", caretColor: "var(--accent)" },
  ".cm-line": { paddingInline: "var(--space-2) var(--space-4)" },
  ".cm-cursor, .cm-dropCursor": { borderLeft: "2px solid var(--accent)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground":
    { background: "color-mix(in oklab, var(--accent) 24%, transparent)" },
  ".cm-content ::selection, .cm-line::selection": { color: "inherit" },
  ".cm-gutters": {
    color: "var(--text-soft)",
    backgroundColor: "var(--surface)",
    border: "0",
    fontVariantNumeric: "tabular-nums",
    userSelect: "none",
  },
  ".cm-lineNumbers .cm-gutterElement": {
    minWidth: "2.5rem",
    paddingInline: "var(--space-3) var(--space-2)",
  },
  ".cm-activeLine": { backgroundColor: "color-mix(in oklab, var(--text) 4%, transparent)" },
  ".cm-activeLineGutter": { color: "var(--text)", backgroundColor: "transparent" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--accent-soft)",
    outline: "1px solid var(--accent-line)",
  },
  ".cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket": {
    color: "var(--danger)",
    backgroundColor: "transparent",
  },
  ".cm-specialChar": { color: "var(--danger)", fontSize: "0.75em", paddingInline: "0.25em" },
  ".cm-searchMatch": {
    backgroundColor: "color-mix(in oklab, var(--kind-folder-fill) 55%, transparent)",
    borderRadius: "2px",
  },
  ".cm-searchMatch, .cm-searchMatch *": { color: "var(--text)" },
  ".cm-searchMatch-selected": {
    outline: "2px solid var(--accent)",
    backgroundColor: "color-mix(in oklab, var(--kind-folder-fill) 85%, transparent)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--accent-soft)" },
  ".cm-foldPlaceholder": {
    color: "var(--text-soft)",
    backgroundColor: "var(--sunken)",
    borderColor: "var(--line)",
  },
  "@media (width <= 46em)": { ".cm-foldGutter": { display: "none !important" } },
  ".cm-panels": { color: "inherit", backgroundColor: "var(--raised)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panels-bottom": { borderTop: "1px solid var(--line)" },
});

const colours = HighlightStyle.define([
  { tag: [tags.comment, tags.meta], color: "var(--text-soft)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: "var(--kind-image)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--success)" },
  { tag: [tags.number, tags.bool, tags.atom, tags.null], color: "var(--kind-archive)" },
  { tag: [tags.function(tags.variableName), tags.labelName], color: "var(--kind-video)" },
  { tag: [tags.typeName, tags.className, tags.namespace], color: "var(--kind-code)" },
  { tag: [tags.propertyName, tags.attributeName], color: "var(--kind-text)" },
  { tag: [tags.tagName, tags.heading], color: "var(--kind-video)" },
  { tag: tags.heading, fontWeight: "600" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.link, tags.url], color: "var(--accent)", textDecoration: "underline" },
  { tag: tags.monospace, color: "var(--kind-code)" },
  { tag: tags.inserted, color: "var(--success)" },
  { tag: [tags.deleted, tags.invalid], color: "var(--danger)" },
]);

/** The theme of texts, made from the page's tokens, so that it follows light and dark mode. */
export const codeTheme: Extension = [look, syntaxHighlighting(colours)];

/** Gives the editor's styles the nonce that the page's content security policy requires. */
export function allowStyles(document: Document): Extension {
  const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
  return nonce ? EditorView.cspNonce.of(nonce) : [];
}
