import { type ComponentProps, useEffect, useRef } from "react";

interface TickProps extends Omit<ComponentProps<"input">, "type" | "ref" | "indeterminate"> {
  label: string;
  /** Some, but not all, of what the box stands for. */
  partly?: boolean;
}

/** A box to tick whose label is for screen readers alone. */
export function Tick({ label, partly = false, ...input }: TickProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = partly;
  }, [partly]);
  return <input {...input} ref={box} type="checkbox" className="tick" aria-label={label} />;
}
