import type { IconNode } from "lucide";
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import { Icon } from "./Icon.tsx";
import { lazy } from "../lib/client/base/core/lazy.ts";
import { useClosingPress } from "../lib/client/base/ui/popover_press.ts";

const sheets = lazy(() => import("../lib/client/base/ui/drag_sheet.ts"));

interface MenuProps {
  /** The id of the menu, for the `popovertarget` of its button. */
  id: string;
  label: string;
  /** The subject of its actions, shown above them in a bottom sheet. */
  title?: string;
  /** Opens at this point of the window, in CSS pixels, when set or changed. */
  at?: { x: number; y: number };
  onClose?: () => void;
  children: ReactNode;
}

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/** A menu of actions below its button, or at a point; on small screens a bottom sheet. */
export function Menu({ id, label, title, at, onClose, children }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!at || !menu.current) return;
    menu.current.showPopover();
    placeAt(menu.current, at);
  }, [at]);
  useClosingPress(menu);
  const items =
    () => [...menu.current?.querySelectorAll<HTMLElement>("[role^=menuitem]:not(:disabled)") ?? []];

  return (
    <div
      id={id}
      ref={menu}
      popover="auto"
      className="menu"
      onBeforeToggle={(event) => {
        if (menu.current && event.newState === "open" && !at) placeBelow(menu.current, id);
      }}
      onToggle={(event) => {
        if (event.newState === "open") items()[0]?.focus();
        // `toggle` fires asynchronously: the popover may have been reopened.
        else if (!menu.current?.matches(":popover-open")) onClose?.();
      }}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key === "Tab") menu.current?.hidePopover();
        const { key } = event;
        const step = STEPS[key];
        const all = items();
        const at = all.indexOf(event.target as HTMLElement);
        if (step) {
          event.preventDefault();
          all[step(at, all.length)]?.focus();
        } else if (key.length === 1 && key !== " " && !event.ctrlKey && !event.metaKey) {
          const letter = key.toLowerCase();
          [...all.slice(at + 1), ...all]
            .find(({ textContent }) => textContent?.toLowerCase().startsWith(letter))?.focus();
        }
      }}
    >
      <SheetGrip sheet={menu}>{title}</SheetGrip>
      {/* Before the item acts: a prompt that it opens gives the focus back to where it was then. */}
      <div role="menu" aria-label={label} onClickCapture={() => menu.current?.hidePopover()}>
        {children}
      </div>
    </div>
  );
}

interface SheetGripProps {
  /** The popover or dialog that is a bottom sheet on small screens. */
  sheet: RefObject<HTMLElement>;
  /** The subject of the sheet. */
  children?: ReactNode;
}

/** The head of a bottom sheet, by which a finger drags it down; not shown on larger screens. */
export function SheetGrip({ sheet, children }: SheetGripProps) {
  return (
    <div
      className="menu__grip"
      onPointerDown={(event) => {
        const drag = { sheet: sheet.current, pointer: event.pointerId, from: event.clientY };
        void sheets.load().then((code) => code?.dragSheet(drag));
      }}
    >
      {children}
    </div>
  );
}

/** Positions the menu below its button, aligned with the button's end. */
function placeBelow(menu: HTMLElement, id: string): void {
  const button = document.querySelector(`[popovertarget="${id}"]`);
  if (!button) return;
  const { bottom, left, right } = button.getBoundingClientRect();
  const toLeft = getComputedStyle(button).direction === "rtl";
  menu.style.top = `${bottom + 6}px`;
  menu.style.insetInlineEnd = `${toLeft ? left : document.documentElement.clientWidth - right}px`;
}

/** The smallest distance between a menu and the edges of the window, in pixels. */
const MARGIN = 8;

/** Positions an open menu at a point, on the side with more room. */
function placeAt(menu: HTMLElement, { x, y }: { x: number; y: number }): void {
  const { offsetWidth, offsetHeight } = menu;
  const { clientWidth, clientHeight } = document.documentElement;
  const before = getComputedStyle(menu).direction === "rtl" ||
    x + offsetWidth > clientWidth - MARGIN;
  const left = before ? x - offsetWidth : x;
  const top = y + offsetHeight > clientHeight - MARGIN ? y - offsetHeight : y;
  const within = (start: number, size: number, all: number) =>
    Math.max(MARGIN, Math.min(start, all - size - MARGIN));
  menu.style.left = `${within(left, offsetWidth, clientWidth)}px`;
  const free = within(top, offsetHeight, clientHeight);
  menu.style.top = `max(${free}px, env(safe-area-inset-top) + ${MARGIN}px)`;
}

interface MenuItemProps {
  glyph: IconNode;
  onClick: () => void;
  disabled?: boolean;
  danger?: boolean;
  children: ReactNode;
}

/** One menu item. */
export function MenuItem({ glyph, onClick, disabled, danger, children }: MenuItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={danger ? "menu__item menu__item--danger" : "menu__item"}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon glyph={glyph} />
      {children}
    </button>
  );
}
