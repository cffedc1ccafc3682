import { FolderPlus } from "lucide";
import { useEffect, useMemo, useState } from "react";
import { childOf, type EntryPath, isInside, nameOf, parentOf } from "../../shared/path.ts";
import { FolderTree } from "./folder_tree.ts";
import { reasonOf } from "../api/reasons.ts";
import { useApi } from "../core/use_site.ts";
import { useTranslation } from "../core/use_translation.ts";
import { Button } from "../../../components/Button.tsx";
import { FolderTreeView } from "./FolderTreeView.tsx";
import { Prompt } from "../../../components/Prompt.tsx";
import type { PromptBodyProps } from "../prompts/prompt_bodies.ts";
import { cleanName, nameFault } from "../core/names.ts";
import { TextField } from "../../../components/Fields.tsx";

/** Asks for the destination of a copy or move; a folder can be created there. */
export function DestinationPrompt({ input, onAnswer, onClose }: PromptBodyProps<"destination">) {
  const { t } = useTranslation();
  const api = useApi();
  const { action, paths, start, mayCreate } = input;
  const tree = useMemo(() => new FolderTree(api, start), []);
  const [naming, setNaming] = useState(false);
  const [error, setError] = useState<string>();
  useEffect(() => void tree.start(), [tree]);

  const to = tree.chosen.value;
  const name = nameOf(to) || t("files.myFiles");
  const inside = paths.some((path) => isInside(to, path));
  const stays = action === "move" && paths.every((path) => parentOf(path) === to);
  const [only, ...others] = paths;
  const title = only !== undefined && others.length === 0
    ? t(`prompts.${action}One`, { name: nameOf(only) })
    : t(`prompts.${action}Many`, { count: paths.length });

  const make = async (folder: EntryPath, typed: string) => {
    const made = await api.makeFolder(childOf(folder, typed));
    if (!made.ok) {
      return setError(t("failures.newFolder", { name: typed, reason: reasonOf(t, made) }));
    }
    setError(undefined);
    setNaming(false);
    await tree.add(folder, typed);
  };

  return (
    <Prompt
      title={title}
      error={error}
      act={t(`buttons.${action}`)}
      incomplete={inside || stays || naming}
      onAct={() => onAnswer(to)}
      onClose={onClose}
      tall
      more={mayCreate && !naming && (
        <Button
          className="prompt__aside"
          glyph={FolderPlus}
          onClick={() => setNaming(true)}
        >
          {t("buttons.newFolder")}
        </Button>
      )}
    >
      <FolderTreeView tree={tree} isRefused={(path) => paths.some((one) => isInside(path, one))} />
      {naming
        ? (
          <NewFolderField
            parent={name}
            onMake={(typed) => void make(to, typed)}
            onClose={() => {
              setError(undefined);
              setNaming(false);
            }}
          />
        )
        : (
          <p className="prompt__text" role="status">
            {inside ? t("tree.inside") : stays ? t("tree.same") : t("tree.to", { name })}
          </p>
        )}
    </Prompt>
  );
}

interface NewFolderFieldProps {
  /** The parent of the new folder. */
  parent: string;
  onMake: (name: string) => void;
  onClose: () => void;
}

/** Asks for the name of a new folder inside another prompt. Enter creates it; Esc cancels. */
function NewFolderField({ parent, onMake, onClose }: NewFolderFieldProps) {
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
