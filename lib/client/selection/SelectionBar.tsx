import { EllipsisVertical, X } from "lucide";
import { IconButton } from "../../../components/Button.tsx";
import { COMMAND_GLYPHS } from "../menu/command_glyphs.ts";
import { formatBytes } from "../core/format.ts";
import { below, useActionMenu } from "../menu/use_action_menu.ts";
import { useCommands } from "../menu/use_commands.ts";
import { useFiles } from "../navigation/use_files.ts";
import { useSelectedBytes } from "./use_selected_bytes.ts";
import { useTranslation } from "../core/use_translation.ts";

/** What a thumb reaches at once; the rest is in the menu. */
const BUTTONS = ["download", "delete"] as const;

/** How much is selected; where the header has no room for it, also what can be done with it. */
export function SelectionBar() {
  const { t, language } = useTranslation();
  const { listing: { selection } } = useFiles();
  const menu = useActionMenu();
  const commands = useCommands();
  const bytes = useSelectedBytes();
  const { size } = selection.now.value;
  const selected = t("files.selected", { count: size });

  return (
    <div className="chosen">
      <p className="chosen__count" role="status">
        {bytes === 0
          ? selected
          : t("files.selectedWithSize", { selected, size: formatBytes(bytes, language) })}
      </p>
      {size > 0 && (
        <div className="chosen__acts">
          {BUTTONS.map((name) =>
            commands[name] && (
              <IconButton
                key={name}
                label={t(`commands.${name}`)}
                glyph={COMMAND_GLYPHS[name]}
                onClick={commands[name]}
              />
            )
          )}
          <IconButton
            label={t("files.actionsOfSelection")}
            glyph={EllipsisVertical}
            aria-haspopup="menu"
            aria-expanded={menu.value?.of === "selection"}
            onClick={(event) => menu.value = { of: "selection", ...below(event.currentTarget) }}
          />
        </div>
      )}
      <IconButton
        className="chosen__clear"
        label={t("files.clearSelection")}
        glyph={X}
        onClick={() => {
          selection.clear();
          selection.multiple.value = false;
        }}
      />
    </div>
  );
}
