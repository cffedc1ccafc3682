import type { IconNode } from "lucide";
import { type ComponentProps, type ReactNode, type Ref, useEffect, useRef } from "react";
import { Icon } from "./Icon.tsx";

type Variant = "plain" | "primary" | "danger" | "quiet";

interface ButtonProps extends Omit<ComponentProps<"button">, "icon" | "ref"> {
  variant?: Variant;
  glyph?: IconNode;
  /** Fills the width it is given. */
  wide?: boolean;
  buttonRef?: Ref<HTMLButtonElement>;
  children: ReactNode;
}

function classes(variant: Variant, ...more: (string | false | undefined)[]): string {
  return ["button", variant !== "plain" && `button--${variant}`, ...more].filter(Boolean).join(" ");
}

/** A button with a label, and optionally an icon before it. */
export function Button(
  { variant = "plain", glyph, wide, className, buttonRef, children, ...rest }: ButtonProps,
) {
  return (
    <button
      type="button"
      ref={buttonRef}
      className={classes(variant, wide && "button--wide", className as string)}
      {...rest}
    >
      {glyph && <Icon glyph={glyph} />}
      <span className="button__word">{children}</span>
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<"button">, "label" | "ref"> {
  /** The accessible name, also shown as the tooltip. */
  label: string;
  glyph: IconNode;
  variant?: Variant;
  mirror?: boolean;
  buttonRef?: Ref<HTMLButtonElement>;
}

/** A square button with an icon alone. */
export function IconButton(
  { label, glyph, variant = "quiet", mirror, className, buttonRef, ...rest }: IconButtonProps,
) {
  return (
    <button
      type="button"
      ref={buttonRef}
      className={classes(variant, "button--icon", className as string)}
      aria-label={label}
      title={label}
      {...rest}
    >
      <Icon glyph={glyph} mirror={mirror} />
    </button>
  );
}

interface TickProps extends Omit<ComponentProps<"input">, "type" | "ref" | "indeterminate"> {
  label: string;
  /** Indeterminate: some, but not all. */
  partly?: boolean;
}

/** A check box whose label is for screen readers alone. */
export function Tick({ label, partly = false, ...input }: TickProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = partly;
  }, [partly]);
  return <input {...input} ref={box} type="checkbox" className="tick" aria-label={label} />;
}

interface IconLinkProps extends Omit<ComponentProps<"a">, "label"> {
  href: string;
  /** The accessible name, also shown as the tooltip. */
  label: string;
  glyph: IconNode;
  mirror?: boolean;
}

/** A link that looks like an icon button. */
export function IconLink({ label, glyph, mirror, className, ...rest }: IconLinkProps) {
  return (
    <a
      className={`button button--quiet button--icon ${className ?? ""}`}
      aria-label={label}
      title={label}
      {...rest}
    >
      <Icon glyph={glyph} mirror={mirror} />
    </a>
  );
}
