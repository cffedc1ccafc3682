import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { Field, TextField } from "../../../../components/Fields.tsx";
import type { RequestInfo } from "../../../shared/schemas/request.ts";
import type { Fields } from "../../base/ui/use_form.ts";
import type { RequestDraft } from "./share_api.ts";

/** Bytes of a megabyte, in which limits are typed. */
const megabyte = 2 ** 20;

/** What a request says and takes in a form; numbers as they are typed, nothing for no limit. */
export interface RequestValues {
  title: string;
  note: string;
  files: string;
  size: string;
  total: string;
  kinds: string;
}

/** The form of a request, or of a new one. */
export function requestValues(request?: RequestInfo): RequestValues {
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

/** The error messages of the member `request` of a form. */
export function requestFaults(t: TFunction, { files, size, total, kinds }: RequestValues) {
  const list = kindsIn(kinds);
  const areKinds = list.length <= 50 &&
    list.every((kind) => /^[\p{L}\p{N}_-]{1,16}$/u.test(kind));
  const wrong = t("request.wrongNumber");
  return {
    ...!isCount(files) && { "request.files": wrong },
    ...!isSize(size) && { "request.size": wrong },
    ...!isSize(total) && { "request.total": wrong },
    ...!areKinds && { "request.kinds": "" },
  };
}

/** The values of a form, as calls take them. */
export function requestOf({ title, note, files, size, total, kinds }: RequestValues): RequestDraft {
  return {
    ...{ title: title.trim(), note: note.trim(), kinds: kindsIn(kinds), maxFiles: Number(files) },
    maxFileSize: Math.round(Number(size) * megabyte),
    maxTotalSize: Math.round(Number(total) * megabyte),
  };
}

function kindsIn(text: string): string[] {
  return text.split(/[\s,;]+/).map((kind) => kind.replace(/^\*?\./, "").toLowerCase())
    .filter((kind) => kind !== "");
}

function isCount(text: string): boolean {
  return /^\d{0,7}$/.test(text.trim()) && Number(text) <= 1_000_000;
}

function isSize(text: string): boolean {
  return /^(?:\d{0,9}|\d{1,9}\.\d+)$/.test(text.trim());
}

interface RequestFieldsProps {
  form: Fields<RequestValues>;
}

/** Fields for what visitors of a request read. */
export function RequestTexts({ form }: RequestFieldsProps) {
  const { t } = useTranslation();
  const { value, onChange, ...note } = form.field("note", "request-note");
  return (
    <>
      <TextField
        {...form.field("title", "request-title")}
        label={t("request.heading")}
        maxLength={200}
      />
      <Field {...note} label={t("request.note")}>
        {(control) => (
          <textarea
            {...control}
            className="field__input links__text"
            rows={3}
            maxLength={2_000}
            dir="auto"
            value={value}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
        )}
      </Field>
    </>
  );
}

/** Fields for what a request takes. */
export function RequestLimits({ form }: RequestFieldsProps) {
  const { t } = useTranslation();
  const numbers = [
    ["files", t("request.filesLimit")],
    ["size", t("request.sizeLimit")],
    ["total", t("request.totalLimit")],
  ] as const;
  return (
    <>
      {numbers.map(([name, label]) => (
        <TextField
          key={name}
          {...form.field(name, `request-${name}`)}
          label={label}
          inputMode="decimal"
          autoComplete="off"
        />
      ))}
      <TextField
        {...form.field("kinds", "request-kinds")}
        label={t("request.kindsLimit")}
        hint={t("request.kindsHint")}
        verbatim
        dir="ltr"
      />
    </>
  );
}
