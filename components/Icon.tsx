import type { IconNode } from "lucide";
import { createElement } from "react";

interface IconProps {
  /** One icon of lucide, imported by name so that only icons in use are bundled. */
  glyph: IconNode;
  className?: string;
  /** The drawing points along the line of reading and turns round in right-to-left languages. */
  mirror?: boolean;
}

/** A line drawing that takes its colour from the text. It says nothing to a screen reader. */
export function Icon({ glyph, className, mirror = false }: IconProps) {
  return (
    <svg
      className={className ? `icon ${className}` : "icon"}
      viewBox="0 0 24 24"
      width="18"
      height="18"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      data-mirror={mirror || undefined}
    >
      {glyph.map(([tag, attributes], index) => createElement(tag, { key: index, ...attributes }))}
    </svg>
  );
}
