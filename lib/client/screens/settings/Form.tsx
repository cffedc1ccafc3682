import { ArrowLeft, Trash2 } from "lucide";
import { createPortal, type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useHydrated, usePage } from "../../base/core/page.ts";
import { FOOT } from "../../files_page/layout/PageShell.tsx";
import { Button } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import type { Form as FormState } from "../../base/ui/use_form.ts";

interface FormProps {
  className?: string;
  /** Of {@linkcode useForm}. */
  form: Pick<FormState<object>, "busy" | "submit">;
  /** The user has opened it: its first control takes the focus. */
  opened?: boolean;
  /** Its buttons, for the line below the content, as those of {@linkcode RecordForm}. */
  foot?: ReactNode;
  children: ReactNode;
}

/** The id of the form whose buttons are below the content: one on a page. */
const FOOTED = "form";

/** The controls of a form that take the focus. */
const controls = ":is(input, select, textarea, button):not([tabindex='-1'])";

/** A form, submitted by its button or by Enter. */
export function Form({ className, form: { busy, submit }, opened, foot, children }: FormProps) {
  const hydrated = useHydrated();
  // The server cannot render into another place of the page.
  const place = hydrated ? document.getElementById(FOOT) : null;
  const acts = foot && <div className="settings__foot">{foot}</div>;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!hydrated || !opened) return;
    form.current?.querySelector<HTMLElement>(controls)?.focus({ preventScroll: true });
    // As a whole: above the first control there may be something to look at.
    form.current?.scrollIntoView({ block: "nearest" });
  }, [hydrated]);
  return (
    <form
      ref={form}
      id={foot ? FOOTED : undefined}
      className={className}
      method="post"
      noValidate
      inert={!hydrated}
      aria-busy={busy}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void submit();
      }}
    >
      {children}
      {place && acts ? createPortal(acts, place) : acts}
    </form>
  );
}

interface SaveButtonProps {
  busy: boolean;
  /** The label, "Save" by default. */
  words?: string;
  /** The id of the form, where the button is outside of it. */
  form?: string;
}

/** The submit button of a form. */
export function SaveButton({ busy, words, form }: SaveButtonProps) {
  const { t } = useTranslation();
  return (
    <Button type="submit" variant="primary" aria-busy={busy} form={form}>
      {words ?? t("buttons.save")}
    </Button>
  );
}

interface RecordFormProps extends Pick<FormProps, "form" | "children"> {
  /** The list that the record is in; none for settings. */
  list?: "users" | "groups";
  /** Removes the record; absent for a new one, and for settings. */
  remove?: () => Promise<unknown>;
}

/** The form of a page: the way back to the list, and at the foot the buttons to delete and save. */
export function RecordForm({ form, list, remove, children }: RecordFormProps) {
  const { t } = useTranslation();
  const { BaseURL } = usePage().data.config;
  const foot = (
    <>
      {remove && (
        <Button className="settings__aside" glyph={Trash2} onClick={() => void remove()}>
          {t("buttons.delete")}
        </Button>
      )}
      <SaveButton busy={form.busy} form={FOOTED} />
    </>
  );
  return (
    <Form className="settings__form" form={form} foot={foot}>
      {list && (
        <nav aria-label={t(`settings.${list}.title`)}>
          <a className="settings__back" href={`${BaseURL}/settings/${list}`}>
            <Icon glyph={ArrowLeft} mirror />
            {t(`settings.${list}.back`)}
          </a>
        </nav>
      )}
      {children}
    </Form>
  );
}
