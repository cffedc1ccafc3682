import { useTranslation } from "react-i18next";
import type { ArchiveFormat } from "../../../shared/schemas/choices/choices.ts";
import { archiveFormats } from "../../../shared/schemas/choices/choices.ts";

interface FormatsProps<Format extends string> {
  name: string;
  legend: string;
  options: readonly Format[];
  chosen: Format;
  onChoose: (format: Format) => void;
  /** The words of an option; its own by default. */
  textOf?: (format: Format) => string;
  /** One below the other, for several words. */
  asWords?: boolean;
  /** Whether the chosen one gets the focus. */
  focused?: boolean;
}

/** The choice of one of several formats or kinds. */
export function Formats<Format extends string>(
  { name, legend, options, chosen, onChoose, textOf, asWords, focused }: FormatsProps<Format>,
) {
  return (
    <fieldset className={asWords ? "formats formats--words" : "formats"}>
      <legend className="prompt__text">{legend}</legend>
      {options.map((each) => (
        <label className="format" key={each}>
          <input
            type="radio"
            name={name}
            value={each}
            checked={each === chosen}
            autofocus={focused && each === chosen}
            onChange={() => onChoose(each)}
          />
          {textOf ? textOf(each) : each}
        </label>
      ))}
    </fieldset>
  );
}

/** The choice of the kind of an archive. */
export function ArchiveFormats(
  props: Pick<FormatsProps<ArchiveFormat>, "chosen" | "onChoose" | "focused">,
) {
  const { t } = useTranslation();
  return (
    <Formats {...props} name="format" legend={t("prompts.downloadText")} options={archiveFormats} />
  );
}
