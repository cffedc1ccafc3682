import { closes, type Marker, readMarker } from "./markers.ts";

/** A range of sibling nodes between two marks. */
export interface Range {
  start: ChildNode;
  end: ChildNode;
}

/** The range that an island rendered on the server. */
export interface IslandRange extends Range {
  marker: Marker & { kind: "island" };
}

/** The marked ranges of a page. */
export interface PageMarks {
  /** Islands by the mark they start at. */
  islands: Map<Node, IslandRange>;
  /** The slots that were rendered, by id. */
  slots: Map<number, Range>;
}

/**
 * Finds the comments of the server, puts empty text nodes in their place and notes the ranges
 * between them. An island whose comments the browser moved apart, as it does to repair a `<div>` in
 * a `<p>`, is reported and left as it is.
 *
 * @returns The islands that are in no other island.
 */
export function markRanges(root: Node, page: PageMarks): IslandRange[] {
  const outermost: IslandRange[] = [];
  const open: { marker: Marker; start: Text }[] = [];
  let depth = 0;
  for (const comment of commentsBelow(root)) {
    const marker = readMarker(comment.data);
    if (marker !== null) {
      open.push({ marker, start: textInPlaceOf(comment) });
      if (marker.kind === "island") depth++;
      continue;
    }
    const last = open.at(-1);
    if (last === undefined || !closes(comment.data, last.marker.kind)) continue;
    open.pop();
    const { marker: opened, start } = last;
    if (opened.kind === "island") depth--;
    const end = textInPlaceOf(comment);
    if (start.parentNode !== end.parentNode) {
      console.error(`Cannot start island ${textOf(opened)}: its markup is invalid where it stands`);
      continue;
    }
    if (opened.kind === "slot") {
      page.slots.set(opened.id, { start, end });
      continue;
    }
    const island = { marker: opened, start, end };
    page.islands.set(start, island);
    if (depth === 0) outermost.push(island);
  }
  return outermost;
}

function commentsBelow(root: Node): Comment[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
  const comments: Comment[] = [];
  while (walker.nextNode()) comments.push(walker.currentNode as Comment);
  return comments;
}

function textInPlaceOf(comment: Comment): Text {
  const text = new Text("");
  comment.replaceWith(text);
  return text;
}

function textOf(marker: Marker): string {
  return marker.kind === "island" ? `"${marker.name}"` : `slot ${marker.id}`;
}
