import { useTranslation } from "react-i18next";
import { canChangeAll, type Target } from "../../base/files/target.ts";
import { useMay } from "../../base/core/use_site.ts";
import { useRootAccess } from "../../base/core/root_access.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { IconButton } from "../../../../components/Button.tsx";
import { COMMAND_GLYPHS } from "../../base/files/glyphs.ts";

interface TargetActionsProps {
  /** The number of entries. */
  count: number;
  /** The entries, asked for when an action begins. */
  target: () => Target;
  /** Called after an action that may have changed entries. */
  onChanged: () => void;
}

/** Buttons for the actions on entries that are not the selection of the open folder. */
export function TargetActions({ count, target, onChanged }: TargetActionsProps) {
  const { t } = useTranslation();
  const { actions } = useFiles();
  const may = useMay();
  const canChange = canChangeAll(useRootAccess(), target());
  const changing = (act: (target: Target) => Promise<void>) => async () => {
    await act(target());
    onChanged();
  };
  const mayShare = count === 1 && may("share") && may("download");
  const offers = [
    ["download", may("download"), () => actions.downloadSelection(target())],
    ["share", mayShare, () => actions.share(target())],
    ["moveTo", canChange && may("rename"), changing((target) => actions.move(target))],
    ["copyTo", may("create"), changing((target) => actions.copy(target))],
    [
      "delete",
      canChange && may("delete"),
      changing((target) => actions.deleteSelection(false, target)),
    ],
  ] as const;
  return offers.map(([name, isOffered, act]) =>
    isOffered && (
      <IconButton
        key={name}
        label={t(`commands.${name}`)}
        glyph={COMMAND_GLYPHS[name]}
        onClick={() => void act()}
      />
    )
  );
}
