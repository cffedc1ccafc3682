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

const field = {
  minInlineSize: "0",
  minBlockSize: "var(--bar)",
  margin: "0",
  padding: "0 var(--space-2)",
  border: "1px solid var(--line-strong)",
  borderRadius: "var(--radius-s)",
  fontSize: "var(--size-s)",
  color: "var(--text)",
  backgroundColor: "var(--surface)",
};

const button = {
  ...field,
  margin: "0",
  paddingInline: "var(--space-3)",
  border: "1px solid var(--line)",
  fontFamily: "inherit",
  fontWeight: "var(--medium)",
  backgroundColor: "var(--surface)",
  backgroundImage: "none",
  cursor: "pointer",
};

const cross = {
  position: "static",
  inlineSize: "var(--bar)",
  minBlockSize: "var(--bar)",
  padding: "0",
  border: "0",
  borderRadius: "var(--radius-s)",
  fontSize: "1.25rem",
  lineHeight: "1",
  color: "var(--text-soft)",
  backgroundColor: "transparent",
  cursor: "pointer",
};

/** The same as the page's check boxes, which CodeMirror's have no class for. */
const tick = {
  appearance: "none",
  display: "grid",
  placeContent: "center",
  flex: "none",
  inlineSize: "1.125rem",
  blockSize: "1.125rem",
  margin: "0",
  border: "1.5px solid var(--line-strong)",
  borderRadius: "0.3125rem",
  backgroundColor: "var(--surface)",
  cursor: "pointer",
};

const tickMark = {
  content: '""',
  inlineSize: "0.6875rem",
  blockSize: "0.6875rem",
  backgroundColor: "var(--on-accent)",
  clipPath: "polygon(12% 48%, 1% 60%, 38% 95%, 99% 22%, 87% 11%, 37% 71%)",
  scale: "0",
};

/** The editor's panels for search, replace and go-to-line, styled as the page's controls. */
export const panelTheme: Extension = EditorView.theme({
  ".cm-panels": {
    "--bar": "2rem",
    zIndex: "2",
    containerType: "inline-size",
    fontFamily: "var(--font)",
  },
  ".cm-panel input:focus-visible, .cm-panel button:focus-visible": {
    outline: "var(--focus)",
    outlineOffset: "1px",
  },
  ".cm-panel.cm-search": {
    display: "grid",
    gridTemplateColumns: "minmax(8rem, 18rem) repeat(6, auto) minmax(0, 1fr) auto",
    alignItems: "center",
    gap: "var(--space-2)",
    padding: "var(--space-2) var(--space-3)",
  },
  ".cm-panel.cm-search br": { display: "none" },
  ".cm-panel.cm-search input.cm-textfield": { ...field, gridColumn: "1" },
  ".cm-panel.cm-search button.cm-button": button,
  ".cm-panel.cm-search button.cm-button:hover": { backgroundColor: "var(--accent-softer)" },
  ".cm-panel.cm-search label": {
    display: "inline-flex",
    alignItems: "center",
    gap: "var(--space-2)",
    minBlockSize: "var(--bar)",
    paddingInline: "var(--space-1)",
    margin: "0",
    fontSize: "var(--size-s)",
    color: "var(--text-soft)",
    whiteSpace: "nowrap",
  },
  ".cm-panel.cm-search label input": tick,
  ".cm-panel.cm-search label input::before": tickMark,
  ".cm-panel.cm-search label input:checked": {
    borderColor: "var(--accent)",
    backgroundColor: "var(--accent)",
  },
  ".cm-panel.cm-search label input:checked::before": { scale: "1" },
  "@media (forced-colors: active)": {
    ".cm-panel.cm-search label input": { appearance: "auto" },
  },
  ".cm-panel.cm-search button[name=replace]": { gridColumn: "2 / span 2" },
  ".cm-panel.cm-search button[name=replaceAll]": { gridColumn: "4 / span 2" },
  ".cm-panel.cm-search button[name=close]": { ...cross, gridArea: "1 / 9" },
  ".cm-panel.cm-dialog, .cm-panel.cm-dialog form, .cm-panel.cm-dialog label": {
    display: "flex",
    alignItems: "center",
    gap: "var(--space-2)",
    fontSize: "var(--size-s)",
  },
  ".cm-panel.cm-dialog": { padding: "var(--space-2) var(--space-3)" },
  ".cm-panel.cm-dialog input": { ...field, inlineSize: "7rem" },
  ".cm-panel.cm-dialog button.cm-button": button,
  ".cm-panel.cm-dialog .cm-dialog-close": { ...cross, marginInlineStart: "auto" },
  "@media (pointer: coarse)": {
    ".cm-panels": { "--bar": "2.75rem" },
  },
  "@container (max-width: 60rem)": {
    ".cm-panel.cm-search": {
      gridTemplateColumns: "minmax(0, 1.4fr) minmax(0, 1fr) minmax(0, 1fr) auto",
      gap: "var(--space-1)",
      padding: "var(--space-2)",
    },
    ".cm-panel.cm-search input[name=search]": { gridArea: "1 / 1" },
    ".cm-panel.cm-search button[name=prev]": { gridArea: "1 / 2" },
    ".cm-panel.cm-search button[name=next]": { gridArea: "1 / 3" },
    ".cm-panel.cm-search button[name=close]": { gridArea: "1 / 4" },
    ".cm-panel.cm-search button[name=select]": { display: "none" },
    ".cm-panel.cm-search label": {
      gridRow: "2",
      paddingInline: "0",
      fontSize: "var(--size-xs)",
      lineHeight: "1.2",
      whiteSpace: "normal",
      hyphens: "auto",
    },
    ".cm-panel.cm-search label:nth-of-type(1)": { gridColumn: "1" },
    ".cm-panel.cm-search label:nth-of-type(2)": { gridColumn: "2" },
    ".cm-panel.cm-search label:nth-of-type(3)": { gridColumn: "3 / span 2" },
    ".cm-panel.cm-search input[name=replace]": { gridArea: "3 / 1" },
    ".cm-panel.cm-search button[name=replace]": { gridArea: "3 / 2" },
    ".cm-panel.cm-search button[name=replaceAll]": { gridArea: "3 / 3 / 4 / 5" },
  },
});
