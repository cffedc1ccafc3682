import { type Extension, type Range, RangeSet } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from "@codemirror/view";
import {
  compareRelativePositions,
  createAbsolutePositionFromRelativePosition,
  createRelativePositionFromJSON,
  createRelativePositionFromTypeIndex,
  type RelativePosition,
} from "yjs";
import type { ShownUser } from "../../../../shared/coediting.ts";
import type { CoeditedDoc } from "./coedited_doc.ts";

/** A cursor as others send it: positions that stay at their letters while the text changes. */
interface SentCursor {
  anchor: RelativePosition;
  head: RelativePosition;
}

/** The words for visitors without an account. */
export interface GuestWords {
  /** In place of a name that was not given. */
  unnamed: string;
  /** Behind a name that was given. */
  mark: string;
}

/** The state of one of the people in a text. */
interface SentState {
  cursor?: SentCursor | null;
  user?: ShownUser;
}

/** A color that others send is a plain one: it goes into a style. */
const COLOR = /^#[0-9a-f]{6}$/i;

/** How long a name is at a cursor that stays, in milliseconds. */
const NAME_MS = 6_000;

const look = EditorView.baseTheme({
  ".cm-theirSelection": {
    backgroundColor: "color-mix(in oklab, var(--their) 26%, transparent)",
  },
  ".cm-theirCursor": {
    position: "relative",
    display: "inline-block",
    inlineSize: "2px",
    marginInline: "-1px",
    blockSize: "1.2em",
    verticalAlign: "text-bottom",
    backgroundColor: "var(--their)",
    pointerEvents: "none",
    zIndex: "1",
  },
  // On a dark ground a line in a dark color has an edge that is seen.
  ".cm-theirCursor::before": {
    content: '""',
    position: "absolute",
    inset: "0",
    outline: "1px solid color-mix(in oklab, var(--surface) 60%, transparent)",
  },
  ".cm-theirName": {
    position: "absolute",
    insetBlockEnd: "100%",
    insetInlineStart: "0",
    display: "flex",
    gap: "0.3em",
    maxInlineSize: "14rem",
    paddingInline: "0.3em",
    borderRadius: "3px 3px 3px 0",
    font: "500 0.6875rem / 1.45 var(--font)",
    whiteSpace: "nowrap",
    color: "#fff",
    backgroundColor: "var(--their)",
    unicodeBidi: "isolate",
  },
  // A long name is cut, never the mark behind it.
  ".cm-theirName > :first-child": {
    overflow: "hidden",
    textOverflow: "ellipsis",
  },
  // Above the first line there is no room.
  ".cm-line:first-child .cm-theirName": {
    insetBlock: "100% auto",
    borderRadius: "0 3px 3px 3px",
  },
});

class CursorWidget extends WidgetType {
  readonly #sent: string;
  readonly #guests: GuestWords;

  /** @param head where it is: a cursor that has moved is drawn anew, and shows its name again */
  constructor(readonly user: ShownUser, head: RelativePosition, guests: GuestWords) {
    super();
    this.#guests = guests;
    this.#sent = JSON.stringify([user, head]);
  }

  override eq(other: CursorWidget): boolean {
    return other.#sent === this.#sent;
  }

  override toDOM(): HTMLElement {
    const cursor = document.createElement("span");
    cursor.className = "cm-theirCursor";
    cursor.style.setProperty("--their", this.user.color);
    // Screen readers have the list of people: a name in the text would be read as a part of it.
    cursor.setAttribute("aria-hidden", "true");
    const name = cursor.appendChild(document.createElement("span"));
    name.className = "cm-theirName";
    name.dir = "auto";
    for (const part of this.#nameParts()) {
      name.appendChild(document.createElement("span")).textContent = part;
    }
    // It is over the line above, and goes when the cursor stays: not by a style, as pages have none
    // that takes time for those who want no motion.
    name.animate({ visibility: ["visible", "hidden"] }, {
      duration: NAME_MS,
      easing: "step-end",
      fill: "forwards",
    });
    return cursor;
  }

  override ignoreEvent(): boolean {
    return true;
  }

  #nameParts(): string[] {
    const { name, guest } = this.user;
    if (!guest) return [name];
    return name === "" ? [this.#guests.unnamed] : [name, this.#guests.mark];
  }
}

/** The index of a position in the text of a document; null for one of another document. */
function indexOf({ doc, text }: CoeditedDoc, position: RelativePosition | undefined) {
  const found = position &&
    createAbsolutePositionFromRelativePosition(createRelativePositionFromJSON(position), doc);
  return found && found.type === text ? found.index : null;
}

/** Where one of the people is in a text; null where that is not known. */
export function placeOf(coedited: CoeditedDoc, id: number): number | null {
  const states = [...coedited.awareness.getStates().values()] as SentState[];
  const state = states.find(({ user }) => user?.id === id);
  return indexOf(coedited, state?.cursor?.head);
}

/** Shows where others are in the text, and sends where the user is. */
export function remoteCursors(coedited: CoeditedDoc, guests: GuestWords): Extension {
  const { awareness, text } = coedited;

  function shown({ doc: lines }: EditorView["state"]): DecorationSet {
    const found: Range<Decoration>[] = [];
    for (const [id, state] of awareness.getStates() as Map<number, SentState>) {
      const { cursor, user } = state;
      if (id === awareness.clientID || !cursor || !user || !COLOR.test(user.color)) continue;
      const anchor = indexOf(coedited, cursor.anchor);
      const head = indexOf(coedited, cursor.head);
      if (anchor === null || head === null || Math.max(anchor, head) > lines.length) continue;
      const [from, to] = [Math.min(anchor, head), Math.max(anchor, head)];
      if (from < to) {
        const attributes = { style: `--their: ${user.color}` };
        found.push(Decoration.mark({ class: "cm-theirSelection", attributes }).range(from, to));
      }
      const widget = new CursorWidget(user, cursor.head, guests);
      found.push(Decoration.widget({ widget, side: head > anchor ? -1 : 1 }).range(head));
    }
    return Decoration.set(found, true);
  }

  function send({ state, hasFocus }: EditorView): void {
    const { main } = state.selection;
    const former = (awareness.getLocalState() as SentState | null)?.cursor;
    // Who reads elsewhere keeps the place: a cursor that goes with the focus would flicker.
    if (!hasFocus && former) return;
    const anchor = createRelativePositionFromTypeIndex(text, main.anchor);
    const head = createRelativePositionFromTypeIndex(text, main.head);
    const isSame = former && compareRelativePositions(former.anchor, anchor) &&
      compareRelativePositions(former.head, head);
    if (!isSame && hasFocus) awareness.setLocalState({ cursor: { anchor, head } });
  }

  const cursors = ViewPlugin.fromClass(
    class {
      decorations: DecorationSet = RangeSet.empty;
      readonly #view: EditorView;
      readonly #onChange = ({ added, updated, removed }: Record<string, number[]>) => {
        const ids = [...added ?? [], ...updated ?? [], ...removed ?? []];
        // An empty transaction: the plugin is asked for what it shows.
        if (ids.some((id) => id !== awareness.clientID)) this.#view.dispatch({});
      };

      constructor(view: EditorView) {
        this.#view = view;
        awareness.on("change", this.#onChange);
        this.decorations = shown(view.state);
        if (awareness.getLocalState() === null) awareness.setLocalState({});
        send(view);
      }

      update({ view, state }: ViewUpdate): void {
        send(view);
        this.decorations = shown(state);
      }

      destroy(): void {
        awareness.off("change", this.#onChange);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
  return [look, cursors];
}
