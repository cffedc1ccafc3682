import { useTranslation } from "react-i18next";
import { Field, TextField } from "../../../../components/Fields.tsx";
import type { RequestInfo } from "../../../shared/api_types.ts";
import type { RequestDraft } from "./share_api.ts";

/** Bytes of a megabyte, in which limits are typed. */
const megabyte = 2 ** 20;

/** The form of what a request says and takes; numbers as they are typed, nothing for no limit. */
export interface RequestForm {
  title: string;
  note: string;
  files: string;
  size: string;
  total: string;
  kinds: string;
}

/** The form of a request, or of a new one. */
export function requestFormOf(request?: RequestInfo): RequestForm {
  const shown = (value = 0, unit = 1) => value === 0 ? "" : String(value / unit);
  return {
    title: request?.title ?? "",
    note: request?.note ?? "",
    files: shown(request?.maxFiles),
    size: shown(request?.maxFileSize, megabyte),
    total: shown(request?.maxTotalSize, megabyte),
    kinds: request?.kinds.join(", ") ?? "",
  };
}

/** The value of a form; null while a field is invalid. */
export function requestOf({ title, note, files, size, total, kinds }: RequestForm) {
  const list = kinds.split(/[\s,;]+/).map((kind) => kind.replace(/^\*?\./, "").toLowerCase())
    .filter((kind) => kind !== "");
  const isGood = isCount(files) && isSize(size) && isSize(total) && list.length <= 50 &&
    list.every((kind) => /^[\p{L}\p{N}_-]{1,16}$/u.test(kind));
  if (!isGood) return null;
  return {
    ...{ title: title.trim(), note: note.trim(), kinds: list, maxFiles: Number(files) },
    maxFileSize: Math.round(Number(size) * megabyte),
    maxTotalSize: Math.round(Number(total) * megabyte),
  } satisfies RequestDraft;
}

function isCount(text: string): boolean {
  return /^\d{0,7}$/.test(text.trim()) && Number(text) <= 1_000_000;
}

function isSize(text: string): boolean {
  return /^(?:\d{0,9}|\d{1,9}\.\d+)$/.test(text.trim());
}

interface RequestFieldsProps {
  form: RequestForm;
  onChange: (form: RequestForm) => void;
}

/** Fields for what visitors of a request read. */
export function RequestTexts({ form, onChange }: RequestFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextField
        name="request-title"
        label={t("request.heading")}
        maxLength={200}
        value={form.title}
        onChange={(text) => onChange({ ...form, title: text })}
      />
      <Field name="request-note" label={t("request.note")}>
        {(control) => (
          <textarea
            {...control}
            className="field__input links__text"
            rows={3}
            maxLength={2_000}
            dir="auto"
            value={form.note}
            onInput={(event) => onChange({ ...form, note: event.currentTarget.value })}
          />
        )}
      </Field>
    </>
  );
}

/** Fields for what a request takes. */
export function RequestLimits({ form, onChange }: RequestFieldsProps) {
  const { t } = useTranslation();
  const numbers = [
    ["files", t("request.filesLimit"), isCount],
    ["size", t("request.sizeLimit"), isSize],
    ["total", t("request.totalLimit"), isSize],
  ] as const;
  return (
    <>
      {numbers.map(([name, label, isGood]) => (
        <TextField
          key={name}
          name={`request-${name}`}
          label={label}
          complaint={isGood(form[name]) ? undefined : t("request.wrongNumber")}
          inputMode="decimal"
          autoComplete="off"
          value={form[name]}
          onChange={(text) => onChange({ ...form, [name]: text })}
        />
      ))}
      <TextField
        name="request-kinds"
        label={t("request.kindsLimit")}
        hint={t("request.kindsHint")}
        verbatim
        dir="ltr"
        value={form.kinds}
        onChange={(text) => onChange({ ...form, kinds: text })}
      />
    </>
  );
}
