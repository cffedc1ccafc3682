import { type ReactNode, useLayoutEffect, useRef } from "react";

interface DrawerProps {
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/** A panel that slides in over the page. Esc and a click beside it close it. */
export function Drawer({ label, onClose, children }: DrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // At once: a key that is pressed before it would reach the page below.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className="drawer"
      aria-label={label}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div className="sidebar">{children}</div>
    </dialog>
  );
}
