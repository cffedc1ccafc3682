import { FolderOpen } from "lucide";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../../components/Button.tsx";
import { CheckField } from "../../../../../components/Fields.tsx";
import { maxRootNameLength, type NamedRoot } from "../../../../shared/schemas/named_root.ts";
import { RowActs } from "../RowActs.tsx";

interface RootRowProps {
  root: NamedRoot;
  index: number;
  count: number;
  /** The faults of its fields. */
  complaints: { name?: string; path?: string };
  onChange: (root: NamedRoot) => void;
  /** Lets a folder be chosen. */
  onPick: () => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

/** One named root: its name, its folder, whether it is read-only, and its position in the list. */
export function RootRow(
  { root, index, count, complaints, onChange, onPick, onMove, onRemove }: RootRowProps,
) {
  const { t } = useTranslation();
  const place = index + 1;
  const input = (field: "name" | "path") => ({
    type: "text",
    className: "field__input",
    "aria-invalid": complaints[field] ? true as const : undefined,
    "aria-describedby": complaints[field] ? `root-${index}-${field}-note` : undefined,
    spellcheck: false,
    dir: "auto",
    autoCapitalize: "none",
    autoComplete: "off",
    value: root[field],
    onInput: (event: { currentTarget: HTMLInputElement }) =>
      onChange({ ...root, [field]: event.currentTarget.value }),
    onKeyDown: (event: KeyboardEvent) => event.key === "Enter" && event.preventDefault(),
  } as const);
  return (
    <li className="edit-row edit-row--root" data-row={index}>
      <div className="field__box">
        <input
          {...input("name")}
          aria-label={t("settings.roots.name", { place })}
          placeholder={t("settings.roots.namePlaceholder")}
          maxLength={maxRootNameLength}
        />
      </div>
      <div className="field__box">
        <input
          {...input("path")}
          aria-label={t("settings.roots.folder", { place })}
          placeholder="/media/photos"
        />
        <span className="field__end">
          <IconButton
            label={t("settings.roots.pick", { place })}
            glyph={FolderOpen}
            data-pick
            onClick={onPick}
          />
        </span>
      </div>
      <CheckField
        name={`root-${index}-readOnly`}
        label={t("editor.readOnly")}
        value={root.readOnly}
        onChange={(readOnly) => onChange({ ...root, readOnly })}
      />
      <RowActs of="roots" index={index} count={count} onMove={onMove} onRemove={onRemove} />
      {(["name", "path"] as const).map((field) =>
        complaints[field] && (
          <p
            key={field}
            className="edit-row__note field__complaint"
            id={`root-${index}-${field}-note`}
          >
            {complaints[field]}
          </p>
        )
      )}
    </li>
  );
}
