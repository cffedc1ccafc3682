import { type RefObject, useEffect, useRef } from "react";

/**
 * Keeps the focus in a table when the line that has it goes: on the line that comes in its place,
 * else on the first field.
 *
 * @param lines changes with them
 * @returns the ref of the element around the table
 */
export function useLineFocus(lines: unknown): RefObject<HTMLDivElement> {
  const area = useRef<HTMLDivElement>(null);
  const at = useRef<number | null>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || !area.current?.contains(target)) return;
      at.current = target.closest("tr")?.rowIndex ?? 0;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  useEffect(() => {
    const { activeElement } = document;
    const isLost = activeElement === null || activeElement === document.body;
    if (at.current === null || !isLost) return;
    const rows = [...area.current?.querySelectorAll("tbody tr") ?? []];
    const row = rows[Math.min(Math.max(at.current - 1, 0), rows.length - 1)];
    (row ?? area.current)?.querySelector<HTMLElement>("input, button")?.focus();
  }, [lines]);
  return area;
}
