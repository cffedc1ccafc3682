import { useEffect, useRef } from "react";

/** Most rows of a table or a folder that are printed: some hundred pages. */
export const MOST_PRINTED = 10_000;

/** What is printed in place of the screen, which has only a part of it in the document. */
export interface Printable {
  /** Reads what is not here yet. */
  prepare?: () => Promise<void>;
  /** The whole as plain elements; null where it has nothing to print. */
  build: () => Node[] | null;
}

const offered: Printable[] = [];
let sheet: HTMLElement | null = null;

/**
 * Offers something to print, also when the browser prints by its own menu. The last that has
 * something is printed; where none has, the screen is, by the style sheet for print.
 *
 * @returns a function that takes it back
 */
export function offerToPrint(printable: Printable): () => void {
  if (offered.length === 0) {
    addEventListener("beforeprint", lay);
    addEventListener("afterprint", remove);
    addEventListener("keydown", onKeyDown);
  }
  offered.push(printable);
  return () => {
    offered.splice(offered.indexOf(printable), 1);
    if (offered.length > 0) return;
    removeEventListener("beforeprint", lay);
    removeEventListener("afterprint", remove);
    removeEventListener("keydown", onKeyDown);
  };
}

/** As {@linkcode offerToPrint}, while a component is shown. */
export function usePrintable(printable: Printable): void {
  const latest = useRef(printable);
  latest.current = printable;
  useEffect(() =>
    offerToPrint({
      prepare: async () => await latest.current.prepare?.(),
      build: () => latest.current.build(),
    }), []);
}

/** Prints the page, once all of it is here. */
export async function printPage(): Promise<void> {
  for (const { prepare } of offered) await prepare?.();
  globalThis.print();
}

function onKeyDown(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (key.toLowerCase() !== "p" || !(ctrlKey || metaKey) || altKey || shiftKey) return;
  event.preventDefault();
  void printPage();
}

function lay(): void {
  remove();
  let nodes: Node[] | null = null;
  for (const { build } of offered.toReversed()) nodes ??= build();
  if (!nodes) return;
  sheet = document.createElement("main");
  sheet.className = "printed";
  sheet.append(...nodes);
  document.body.append(sheet);
}

function remove(): void {
  sheet?.remove();
  sheet = null;
}

/** An element with a text. */
export function textElement(tag: keyof HTMLElementTagNameMap, text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  element.dir = "auto";
  return element;
}

/** The cells of a printed table; numbers are aligned at the end. */
interface PrintedTable {
  head: readonly string[];
  rows: Iterable<readonly string[]>;
  isNumeric?: (column: number) => boolean;
}

/** The characters of a printed line: all columns together have no more of words that stay whole. */
const LINE = 90;

/** A table for print, whose head is on every page. */
export function printedTable({ head, rows, isNumeric }: PrintedTable): HTMLTableElement {
  const table = document.createElement("table");
  // Longer words may be torn, so that no column is past the edge of the paper.
  const tooLong = new RegExp(`\\S{${Math.max(4, Math.floor(LINE / head.length))}}`);
  const rowOf = (cells: readonly string[], tag: "th" | "td") => {
    const row = document.createElement("tr");
    for (const [column, text] of cells.entries()) {
      const cell = textElement(tag, text);
      if (isNumeric?.(column)) cell.dataset.number = "";
      if (tooLong.test(text)) cell.dataset.long = "";
      row.append(cell);
    }
    return row;
  };
  table.createTHead().append(rowOf(head, "th"));
  const body = table.createTBody();
  for (const row of rows) body.append(rowOf(row, "td"));
  return table;
}

/**
 * Reads an address now, as a print that has begun waits for nothing: for what the browser's own
 * menu prints before it was read. The cookie signs it in.
 *
 * @returns its bytes; null on failure
 */
export function readNow(address: string): Uint8Array<ArrayBuffer> | null {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  // Each byte as a character: a request that is waited for gives texts alone.
  request.overrideMimeType("text/plain; charset=x-user-defined");
  try {
    request.send();
  } catch {
    return null;
  }
  if (request.status !== 200) return null;
  return Uint8Array.from(request.responseText, (character) => character.charCodeAt(0) & 0xff);
}
