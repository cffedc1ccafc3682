import { CheckField } from "../../../../../components/Fields.tsx";

interface ChoiceFieldsProps {
  /** Prefix of the names of the fields. */
  name: string;
  title: string;
  hint: string;
  /** The ids to choose from, with their names. */
  options: readonly (readonly [id: number, name: string])[];
  chosen: readonly number[];
  onChange: (chosen: number[]) => void;
}

/** Checkboxes for some of the users, or of the groups. */
export function ChoiceFields({ name, title, hint, options, chosen, onChange }: ChoiceFieldsProps) {
  const choose = (id: number, isChosen: boolean) => {
    const others = chosen.filter((each) => each !== id);
    onChange((isChosen ? [...others, id] : others).sort((a, b) => a - b));
  };
  return (
    <fieldset className="field-group" aria-describedby={`${name}-hint`}>
      <legend className="field__label">{title}</legend>
      <p className="field__hint" id={`${name}-hint`}>{hint}</p>
      <div className="checks checks--columns">
        {options.map(([id, label]) => (
          <CheckField
            key={id}
            name={`${name}-${id}`}
            label={label}
            value={chosen.includes(id)}
            onChange={(isChosen) => choose(id, isChosen)}
          />
        ))}
      </div>
    </fieldset>
  );
}
