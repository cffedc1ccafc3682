import { Check, CircleAlert, CircleCheck, Copy, X } from "lucide";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useConnection, useToasts } from "../core/use_site.ts";
import { useReturnedFocus } from "../core/focus.ts";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { Icon, Spinner } from "../../../../components/Icon.tsx";
import { lazy } from "../core/lazy.ts";
import { usePage } from "../core/page.ts";
import type { ToastAction } from "./toasts.ts";

const clipboard = lazy(() => import("../core/copy_text.ts"));

/** The current toasts, in the corner of the page. */
export function ToastStack() {
  const { t } = useTranslation();
  const toasts = useToasts();
  const from = useRef<HTMLElement>(null);
  return (
    <div
      className="toasts"
      onFocusIn={({ currentTarget, relatedTarget }) => {
        if (currentTarget.contains(relatedTarget as Node | null)) return;
        from.current = relatedTarget instanceof HTMLElement ? relatedTarget : null;
      }}
    >
      <div role="status">
        {toasts.shown.value.filter(({ kind }) => kind === "success").map((
          { id, kind, text, isLong, undo, action },
        ) => (
          <ToastCard
            key={id}
            {...{ id, text, variant: kind, stays: isLong, from }}
            onClose={() => toasts.close(id)}
          >
            {undo && (
              <Button
                variant="quiet"
                onClick={() => {
                  toasts.close(id);
                  undo();
                }}
              >
                {t("buttons.undo")}
              </Button>
            )}
            {action && (
              <ActionButton
                variant="quiet"
                action={action}
                onDone={() => toasts.close(id)}
              />
            )}
          </ToastCard>
        ))}
      </div>
      <div role="alert">
        {toasts.shown.value.filter(({ kind }) => kind === "error").map((
          { id, kind, text, action },
        ) => (
          <ToastCard
            key={id}
            id={id}
            variant={kind}
            text={text}
            from={from}
            foot={action && <ActionButton action={action} onDone={() => toasts.close(id)} />}
            onClose={() => toasts.close(id)}
          >
            <ReportButton text={text} />
          </ToastCard>
        ))}
      </div>
    </div>
  );
}

/** The button of a message that can be done something about. */
function ActionButton(
  { action, variant, onDone }: { action: ToastAction; variant?: "quiet"; onDone: () => void },
) {
  const run = async () => {
    if (await action.run() !== false) onDone();
  };
  return <Button variant={variant} onClick={() => void run()}>{action.label}</Button>;
}

interface ToastCardProps {
  id: number;
  variant: "success" | "error";
  text: string;
  /** It is shown for longer. */
  stays?: boolean;
  /** What had the focus before the toasts. */
  from: RefObject<HTMLElement>;
  onClose: () => void;
  /** Buttons that resolve it. */
  children?: ReactNode;
  /** One below the text, which is long. */
  foot?: ReactNode;
}

/**
 * A toast. A success shows its remaining time, which stops while it is pointed at or has the focus;
 * an error stays until it is closed.
 */
function ToastCard({ id, variant, text, stays, from, onClose, children, foot }: ToastCardProps) {
  const { t } = useTranslation();
  const card = useRef<HTMLDivElement>(null);
  useReturnedFocus(card, from);
  const toasts = useToasts();
  const [isPointedAt, setPointedAt] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const isHeld = isPointedAt || hasFocus;
  useEffect(() => isHeld ? toasts.hold(id) : toasts.resume(id), [isHeld]);
  return (
    <div
      ref={card}
      className="toast"
      data-variant={variant}
      data-held={isHeld || undefined}
      role={variant === "error" ? "alert" : "status"}
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      onFocusIn={() => setFocus(true)}
      onFocusOut={() => setFocus(false)}
    >
      <span className="toast__sign">
        <Icon glyph={variant === "error" ? CircleAlert : CircleCheck} />
      </span>
      <p className="toast__words">{text}</p>
      <div className="toast__acts">
        {children}
        <IconButton label={t("buttons.close")} glyph={X} onClick={onClose} />
      </div>
      {foot && <div className="toast__foot">{foot}</div>}
      {variant === "success" && <span className="toast__left" data-stays={stays || undefined} />}
    </div>
  );
}

/**
 * Copies an error report to the clipboard, for the administrator; nothing is sent. Hidden where
 * external links are disabled.
 */
function ReportButton({ text }: { text: string }) {
  const { t } = useTranslation();
  const { DisableExternal, Version } = usePage().data.config;
  const [copied, setCopied] = useState(false);
  if (DisableExternal) return null;
  const copy = async () => {
    const code = await clipboard.load();
    setCopied(await code?.copyReport(text, Version) ?? false);
  };
  return (
    <IconButton
      label={t(copied ? "sharing.copied" : "buttons.report")}
      glyph={copied ? Check : Copy}
      onClick={() => void copy()}
    />
  );
}

/** Shows a notice while the server cannot be reached. */
export function ConnectionNotice() {
  const { t } = useTranslation();
  const isLost = useConnection().isLost.value;
  return (
    <div role="status" className="toasts">
      {isLost && (
        <div className="toast" data-variant="waiting">
          <span className="toast__sign">
            <Spinner />
          </span>
          <p className="toast__words">{t("status.reconnecting")}</p>
        </div>
      )}
    </div>
  );
}
