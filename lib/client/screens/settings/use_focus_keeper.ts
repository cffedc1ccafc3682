import { useEffect } from "react";

/** Where an element is that has the focus, to find another one near by. */
interface Place {
  element: HTMLElement;
  /** The list or table, and the row in it. */
  rows: Element | null;
  row: number;
  card: Element | null;
  /** The number of the card on the page. */
  at: number;
}

/** A control that can be pressed. */
const controls = "button:not(:disabled), a[href]";

/**
 * Keeps the focus on the page when the element that has it goes or can be pressed no more, as a form
 * that is closed, a row that is removed, a button at the last page: on the row in its place, else on
 * the actions of the card.
 */
export function useFocusKeeper(): void {
  useEffect(() => {
    const content = document.getElementById("content");
    if (content === null) return;
    let place: Place | null = null;
    const note = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement) place = placeOf(target, content);
    };
    // Forms and notes take the focus themselves, after the paint.
    const keep = () => requestAnimationFrame(() => setTimeout(restore));
    const restore = () => {
      if (place === null || canHaveFocus(place.element)) return;
      const { activeElement } = document;
      if (activeElement === null || activeElement === document.body) focusNear(place, content);
    };
    const observer = new MutationObserver(() => {
      if (place !== null && !canHaveFocus(place.element)) keep();
    });
    content.addEventListener("focusin", note);
    observer.observe(content, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    return () => {
      content.removeEventListener("focusin", note);
      observer.disconnect();
    };
  }, []);
}

function canHaveFocus(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(":disabled");
}

function placeOf(element: HTMLElement, content: Element): Place {
  const row = element.closest("li, tr");
  const rows = row?.parentElement ?? null;
  const card = element.closest(".card");
  return {
    element,
    rows,
    row: row && rows ? [...rows.children].indexOf(row) : -1,
    card,
    at: card ? cardsOf(content).indexOf(card) : -1,
  };
}

function cardsOf(content: Element): Element[] {
  return [...content.querySelectorAll(".card")];
}

function focusNear({ rows, row, card, at }: Place, content: Element): void {
  const left = rows?.isConnected ? [...rows.children] : [];
  // The row in its place, those before it from the nearest on, then those behind it.
  const near = [...left.slice(0, row + 1).reverse(), ...left.slice(row + 1)];
  const home = card?.isConnected ? card : cardsOf(content)[Math.max(0, at - 1)] ?? content;
  const target = near.map((each) => each.querySelector<HTMLElement>(controls)).find(Boolean) ??
    home.querySelector<HTMLElement>(`.card__acts :is(${controls})`);
  if (target) return target.focus();
  // Nothing is left to press: the heading is where one reads on.
  const heading = home.querySelector<HTMLElement>("h1, h2");
  if (heading) heading.tabIndex = -1;
  heading?.focus();
}
