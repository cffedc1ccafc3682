import { pathIn, type Placed, placeIn } from "../../../../shared/named_roots.ts";
import { parsePath, ROOT } from "../../../../shared/path.ts";
import { maxRoots, type NamedRoot, rootFaults } from "../../../../shared/schemas/named_root.ts";
import { EditRows } from "../EditRows.tsx";
import { usePrompts } from "../../../base/core/use_site.ts";
import { useTranslation } from "react-i18next";
import type { Bound } from "../../../base/ui/use_form.ts";
import { useRows } from "../use_rows.ts";
import { RootRow } from "./RootRow.tsx";

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
  const prompts = usePrompts();
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
    const chosen = await prompts.open("destination", {
      action: "choose",
      paths: [],
      start: shownPath(own, root.path),
      mayCreate: true,
    });
    const path = chosen === null ? null : placeIn(own, chosen);
    // The prompt had the focus, and is gone.
    edit.set(index, path === null ? root : { ...root, path }, "[data-pick]");
  };
  return (
    <EditRows
      name="roots"
      title={t("settings.roots.title")}
      hint={hint}
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

/** The folder of a root as the administrator finds it; "/" while it is none, or out of reach. */
function shownPath(own: Placed, typed: string) {
  try {
    return pathIn(own, parsePath(`/${typed.trim()}`).path) ?? ROOT;
  } catch {
    return ROOT;
  }
}
