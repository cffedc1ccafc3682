import type { IconNode } from "lucide";
import { createElement } from "react";
import { usePage } from "../lib/client/base/core/page.ts";

interface IconProps {
  /** One icon of lucide, imported by name so that only icons in use are bundled. */
  glyph: IconNode;
  className?: string;
  /** The icon is mirrored in right-to-left text. */
  mirror?: boolean;
  /** A hook for the style sheet: the meaning of the icon. */
  "data-kind"?: string;
}

/** A line icon in the colour of the text. Hidden from screen readers. */
export function Icon({ glyph, className, mirror = false, ...rest }: IconProps) {
  return (
    <svg
      className={className ? `icon ${className}` : "icon"}
      viewBox="0 0 24 24"
      width="18"
      height="18"
      aria-hidden="true"
      data-mirror={mirror || undefined}
      {...rest}
    >
      {joined(glyph).map(([tag, attributes], index) =>
        createElement(tag, { key: index, ...attributes })
      )}
    </svg>
  );
}

const known = new WeakMap<IconNode, IconNode>();

/** The icon with its paths joined, to save elements in long listings. */
function joined(glyph: IconNode): IconNode {
  const before = known.get(glyph);
  if (before) return before;
  const paths = glyph.filter(([tag]) => tag === "path");
  const others = glyph.filter(([tag]) => tag !== "path");
  // Each path starts at 0,0, wherever the former ended.
  const d = paths.map(([, attributes]) => `M0 0${attributes.d}`).join("");
  const drawing: IconNode = d ? [["path", { d }], ...others] : others;
  known.set(glyph, drawing);
  return drawing;
}

/**
 * The mark of the site: its own, or Cubby's, a set of pigeonholes, one of them taken. Decorative
 * beside the name.
 */
export function Logo() {
  const own = usePage().data.config.Logo;
  if (own) return <img className="logo" src={own} alt="" width="32" height="32" />;
  return (
    <svg className="logo" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect className="logo__case" width="32" height="32" rx="9" />
      <rect className="logo__hole" x="7" y="7" width="8" height="18" rx="2.5" />
      <rect className="logo__hole" x="17.5" y="7" width="7.5" height="7.75" rx="2.5" />
      <rect className="logo__taken" x="17.5" y="17.25" width="7.5" height="7.75" rx="2.5" />
    </svg>
  );
}

interface SpinnerProps {
  /** For screen readers, unless a text beside the spinner says it. */
  label?: string;
}

/** Shows that something is under way whose end is not known. */
export function Spinner({ label }: SpinnerProps) {
  if (label === undefined) return <span className="spinner" aria-hidden="true" />;
  return <span className="spinner" role="img" aria-label={label} />;
}
