import { ArrowDown, ArrowUp, X } from "lucide";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../components/Button.tsx";

interface RowActsProps {
  /** The kind of the rows, as the texts name it. */
  of: "rules" | "roots";
  index: number;
  count: number;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

/** The buttons of a row in a list that is edited: up, down, remove. */
export function RowActs({ of, index, count, onMove, onRemove }: RowActsProps) {
  const { t } = useTranslation();
  const place = index + 1;
  return (
    <div className="edit-row__acts">
      <IconButton
        data-move="-1"
        label={t(`settings.${of}.up`, { place })}
        glyph={ArrowUp}
        disabled={index === 0}
        onClick={() => onMove(-1)}
      />
      <IconButton
        data-move="1"
        label={t(`settings.${of}.down`, { place })}
        glyph={ArrowDown}
        disabled={index === count - 1}
        onClick={() => onMove(1)}
      />
      <IconButton label={t(`settings.${of}.remove`, { place })} glyph={X} onClick={onRemove} />
    </div>
  );
}
