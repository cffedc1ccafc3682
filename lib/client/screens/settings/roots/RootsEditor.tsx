import type { Placed } from "../../../../shared/named_roots.ts";
import { maxRoots, type NamedRoot, rootFaults } from "../../../../shared/schemas/named_root.ts";
import { EditRows } from "../EditRows.tsx";
import { useTranslation } from "react-i18next";
import type { Bound } from "../../../base/ui/use_form.ts";
import { useRows } from "../use_rows.ts";
import { RootRow } from "./RootRow.tsx";
import { useFolderPick, useScopeHint } from "./use_folder_pick.ts";

/** The error message is of the whole list; what is left blank is marked then, too. */
interface RootsEditorProps extends Omit<Bound<NamedRoot[]>, "name"> {
  hint: string;
  /** The place of the administrator, who picks folders among the own ones. */
  own: Placed;
}

/** Whether a list of named roots can be saved. */
export function areFaultless(roots: readonly NamedRoot[]): boolean {
  return rootFaults(roots).every(({ name, path }) => !name && !path);
}

/** An editor of named roots: add, change, reorder. */
export function RootsEditor({ value: roots, hint, own, complaint, onChange }: RootsEditorProps) {
  const { t } = useTranslation();
  const choose = useFolderPick(own);
  const hintOf = useScopeHint(own);
  const { box, ...edit } = useRows(roots, onChange);
  const faults = rootFaults(roots);
  const hasFaults = !areFaultless(roots);
  const complaintsOf = (index: number) => {
    const { name, path } = faults[index] ?? {};
    const isShown = (fault: string | undefined) => fault !== "blank" || complaint !== undefined;
    return {
      name: name && isShown(name) ? t(`settings.roots.nameFaults.${name}`) : undefined,
      path: path && isShown(path) ? t(`settings.roots.folderFaults.${path}`) : undefined,
    };
  };
  const pick = async (index: number, root: NamedRoot) => {
    const path = await choose(root.path);
    // The prompt had the focus, and is gone.
    edit.set(index, path === null ? root : { ...root, path }, "[data-pick]");
  };
  return (
    <EditRows
      name="roots"
      title={t("settings.roots.title")}
      hint={hintOf(hint)}
      box={box}
      complaint={hasFaults ? complaint : undefined}
      add={t("settings.roots.add")}
      isFull={roots.length >= maxRoots}
      onAdd={() => edit.add({ name: "", path: "", readOnly: false })}
      rows={roots.map((root, index) => (
        <RootRow
          key={index}
          root={root}
          index={index}
          count={roots.length}
          complaints={complaintsOf(index)}
          onChange={(changed) => edit.set(index, changed)}
          onPick={() => void pick(index, root)}
          onMove={(by) => edit.move(index, by)}
          onRemove={() => edit.remove(index)}
        />
      ))}
    />
  );
}
