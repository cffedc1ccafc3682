import type { IconNode } from "lucide";
import { type ReactNode, useRef } from "react";
import { Icon } from "./Icon.tsx";

interface MenuProps {
  /** The button that opens the menu names it in `popovertarget`. */
  id: string;
  label: string;
  children: ReactNode;
}

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/** A list of actions that drops down from the button that opens it. */
export function Menu({ id, label, children }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const items =
    () => [...menu.current?.querySelectorAll<HTMLElement>("[role=menuitem]:not(:disabled)") ?? []];

  return (
    <div
      id={id}
      ref={menu}
      popover="auto"
      role="menu"
      aria-label={label}
      className="menu"
      onBeforeToggle={(event) => {
        if (menu.current && event.newState === "open") placeBelow(menu.current, id);
      }}
      onToggle={(event) => {
        if (event.newState === "open") items()[0]?.focus();
      }}
      onKeyDown={(event) => {
        const step = STEPS[event.key];
        if (!step) return;
        event.preventDefault();
        const all = items();
        all[step(all.indexOf(event.target as HTMLElement), all.length)]?.focus();
      }}
      onClick={() => menu.current?.hidePopover()}
    >
      {children}
    </div>
  );
}

/** Puts the menu under its button, flush with the button's end. */
function placeBelow(menu: HTMLElement, id: string): void {
  const button = document.querySelector(`[popovertarget="${id}"]`);
  if (!button) return;
  const { bottom, left, right } = button.getBoundingClientRect();
  const toLeft = getComputedStyle(button).direction === "rtl";
  menu.style.top = `${bottom + 6}px`;
  menu.style.insetInlineEnd = `${toLeft ? left : document.documentElement.clientWidth - right}px`;
}

interface MenuItemProps {
  glyph: IconNode;
  onClick: () => void;
  disabled?: boolean;
  danger?: boolean;
  children: ReactNode;
}

/** One action of a menu. */
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
