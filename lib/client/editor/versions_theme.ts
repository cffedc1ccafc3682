import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** What was changed is underlined: on a tint strong enough to stand alone, letters would be hard to read. */
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

/** Two versions of a text in the colours of the page. */
export const versionsTheme: Extension = EditorView.theme({
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
