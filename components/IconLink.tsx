import type { IconNode } from "lucide";
import type { ComponentProps } from "react";
import { Icon } from "./Icon.tsx";

interface IconLinkProps extends Omit<ComponentProps<"a">, "label"> {
  href: string;
  /** The accessible name, also shown as the tooltip. */
  label: string;
  glyph: IconNode;
}

/** A link that looks like an icon button. */
export function IconLink({ label, glyph, className, ...rest }: IconLinkProps) {
  return (
    <a
      className={`button button--quiet button--icon ${className ?? ""}`}
      aria-label={label}
      title={label}
      {...rest}
    >
      <Icon glyph={glyph} />
    </a>
  );
}
