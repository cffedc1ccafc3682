import { SlidersHorizontal } from "lucide";
import { useTranslation } from "react-i18next";
import { viewModes } from "../../../../shared/schemas/choices/choices.ts";
import { below } from "../../menu/use_action_menu.ts";
import { VIEW_GLYPHS } from "../../../base/files/glyphs.ts";
import { useFiles } from "../../../base/files/use_files.ts";
import { useViewMenu } from "../../../base/core/use_panels.ts";
import { IconButton } from "../../../../../components/Button.tsx";

/** The view modes side by side, and a button for all about the view. */
export function ViewSwitch() {
  const { t } = useTranslation();
  const { view } = useFiles();
  const menu = useViewMenu();
  return (
    <div role="group" className="views" aria-label={t("views.title")}>
      {viewModes.map((mode) => (
        <IconButton
          key={mode}
          className="views__mode"
          label={t(`views.${mode}`)}
          glyph={VIEW_GLYPHS[mode]}
          aria-pressed={mode === view.mode.value}
          onClick={() => view.choose(mode)}
        />
      ))}
      <IconButton
        className="views__more"
        label={t("views.options")}
        glyph={SlidersHorizontal}
        aria-haspopup="dialog"
        aria-expanded={menu.value !== null}
        onClick={(event) => menu.value = below(event.currentTarget)}
      />
    </div>
  );
}
