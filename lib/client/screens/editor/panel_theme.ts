import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

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
