import { useTranslation } from "react-i18next";
import type { ArchiveFormat } from "../../../shared/schemas/choices/choices.ts";
import { archiveFormats } from "../../../shared/schemas/choices/choices.ts";

interface ArchiveFormatsProps {
  chosen: ArchiveFormat;
  onChoose: (format: ArchiveFormat) => void;
  /** Whether the chosen one gets the focus. */
  focused?: boolean;
}

/** The choice of the kind of an archive. */
export function ArchiveFormats({ chosen, onChoose, focused = false }: ArchiveFormatsProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="formats">
      <legend className="prompt__text">{t("prompts.downloadText")}</legend>
      {archiveFormats.map((each) => (
        <label className="format" key={each}>
          <input
            type="radio"
            name="format"
            value={each}
            checked={each === chosen}
            autofocus={focused && each === chosen}
            onChange={() => onChoose(each)}
          />
          {each}
        </label>
      ))}
    </fieldset>
  );
}
