import { type Extension, RangeSetBuilder } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";

/** Hebrew, Arabic and their neighbours, and the marks that turn the direction. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** How much of a line is looked at: what decides the direction comes early. */
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

/** Lines that are written from right to left begin at the right, each by itself. */
export const lineDirections: Extension = [
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
