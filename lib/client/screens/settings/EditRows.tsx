import { Plus } from "lucide";
import { type ReactNode, type RefObject, useState } from "react";
import { Button } from "../../../../components/Button.tsx";

interface EditRowsProps {
  /** Prefix of the ids, unique on the page. */
  name: string;
  title: string;
  hint: string;
  /** The element of {@linkcode useRows}. */
  box: RefObject<HTMLDivElement>;
  /** The error message of the whole list. */
  complaint?: string;
  /** The label of the button that adds a row. */
  add: string;
  isFull?: boolean;
  /** It is folded away while there are no rows. */
  folds?: boolean;
  onAdd: () => void;
  /** The rows, if there are any. */
  rows: ReactNode[];
  /** Shown below the button. */
  children?: ReactNode;
}

/** A list whose rows are edited in place, with its title and the button that adds one. */
export function EditRows(
  { name, title, hint, box, complaint, add, isFull, folds, onAdd, rows, children }: EditRowsProps,
) {
  // Not changed with the rows: the last one that goes would take the focus with it.
  const [isOpen] = useState(rows.length > 0 || Boolean(children));
  const titleId = `${name}-title`;
  const editor = (
    <div
      ref={box}
      className="edit-rows"
      id={`field-${name}`}
      role="group"
      tabIndex={-1}
      aria-labelledby={titleId}
      aria-describedby={`${name}-text`}
    >
      {!folds && <h3 className="field__label" id={titleId}>{title}</h3>}
      <p className="field__hint" id={`${name}-text`}>{hint}</p>
      {rows.length > 0 && <ol className="edit-rows__list">{rows}</ol>}
      {complaint && <p className="field__complaint" role="alert">{complaint}</p>}
      <div className="edit-rows__acts">
        <Button glyph={Plus} data-add disabled={isFull} onClick={onAdd}>{add}</Button>
      </div>
      {children}
    </div>
  );
  if (!folds) return editor;
  return (
    <details className="fold" open={isOpen}>
      <summary id={titleId}>{title}</summary>
      {editor}
    </details>
  );
}
