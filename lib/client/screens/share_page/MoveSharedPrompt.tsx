import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { childOf, type EntryPath, isInside, nameOf } from "../../../shared/path.ts";
import { Prompt } from "../../../../components/Prompt.tsx";
import { FolderTree } from "../../files_page/actions/destination/folder_tree.ts";
import { FolderTreeView } from "../../files_page/actions/destination/FolderTreeView.tsx";
import type { SharedEdits } from "./shared_edits.ts";

interface MoveSharedPromptProps {
  edits: SharedEdits;
  /** The name of the shared folder. */
  top: string;
  /** The folder of the entries. */
  folder: EntryPath;
  names: readonly string[];
  onAnswer: (to: EntryPath) => void;
  onClose: () => void;
}

/** Asks for the folder in a share that entries are moved to. */
export function MoveSharedPrompt(
  { edits, top, folder, names, onAnswer, onClose }: MoveSharedPromptProps,
) {
  const { t } = useTranslation();
  const tree = useMemo(() => new FolderTree(edits, folder), []);
  useEffect(() => void tree.start(), [tree]);
  const to = tree.chosen.value;
  const isRefused = (path: EntryPath) =>
    names.some((name) => isInside(path, childOf(folder, name)));
  const [name = ""] = names;
  return (
    <Prompt
      title={names.length === 1
        ? t("prompts.moveOne", { name })
        : t("prompts.moveMany", { count: names.length })}
      act={t("buttons.move")}
      incomplete={to === folder || isRefused(to)}
      onAct={() => onAnswer(to)}
      onClose={onClose}
      tall
    >
      <FolderTreeView tree={tree} isRefused={isRefused} top={top} />
      <p className="prompt__text" role="status">
        {isRefused(to)
          ? t("tree.inside")
          : to === folder
          ? t("tree.same")
          : t("tree.to", { name: nameOf(to) || top })}
      </p>
    </Prompt>
  );
}
