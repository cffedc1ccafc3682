import { useState } from "react";
import { cleanName, nameFault } from "./names.ts";
import { useTranslation } from "../core/use_translation.ts";
import { Button } from "../../../components/Button.tsx";
import { TextField } from "../../../components/TextField.tsx";

interface NewFolderFieldProps {
  /** The name of the folder that it is made in. */
  parent: string;
  onMake: (name: string) => void;
  onClose: () => void;
}

/** Asks for the name of a new folder inside another prompt. Enter makes it; Esc leaves it. */
export function NewFolderField({ parent, onMake, onClose }: NewFolderFieldProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const name = cleanName(typed);
  const fault = nameFault(name);
  const make = () => fault === null && onMake(name);
  return (
    <div className="new-folder">
      <TextField
        name="new-folder"
        label={t("tree.newFolder", { name: parent })}
        value={typed}
        complaint={fault && typed !== "" ? t(`names.${fault}`) : undefined}
        verbatim
        autofocus
        inputRef={(input) => input?.focus()}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation();
          if (event.key === "Enter") make();
          else onClose();
        }}
      />
      <Button disabled={fault !== null} onClick={make}>{t("buttons.create")}</Button>
    </div>
  );
}
