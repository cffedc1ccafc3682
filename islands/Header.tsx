import { EllipsisVertical, Upload } from "lucide";
import { Button, IconButton } from "../components/Button.tsx";
import { COMMAND_GLYPHS } from "../lib/client/menu/command_glyphs.ts";
import { UPLOAD_MENU } from "../lib/client/menu/menu_ids.ts";
import { SearchButton } from "../lib/client/search/SearchButton.tsx";
import { ShellButton } from "../lib/client/terminal/ShellButton.tsx";
import { SidebarButton } from "../lib/client/navigation/SidebarContent.tsx";
import { VIEW_GLYPHS } from "../lib/client/listing/view_glyphs.ts";
import { below, useActionMenu } from "../lib/client/menu/use_action_menu.ts";
import { useCommands } from "../lib/client/menu/use_commands.ts";
import { useFileActions } from "../lib/client/menu/use_file_actions.ts";
import { useFiles } from "../lib/client/navigation/use_files.ts";
import { usePlaceName } from "../lib/client/core/use_place_name.ts";
import { useTranslation } from "../lib/client/core/use_translation.ts";

/**
 * What has a button of its own where the window is wide. What a selection brings stands before the
 * search, in the room of the title: nothing that was there before moves aside.
 */
const CHOSEN = ["share", "rename", "moveTo", "copyTo", "delete"] as const;

/** The head of the files page: where one is, and what can be done here. */
export function Header() {
  const { t } = useTranslation();
  const { view } = useFiles();
  const menu = useActionMenu();
  const title = usePlaceName();
  const may = useFileActions();
  const commands = useCommands();
  const wide = (name: (typeof CHOSEN)[number] | "download") =>
    commands[name] && (
      <IconButton
        key={name}
        className="header__wide"
        label={t(`commands.${name}`)}
        glyph={COMMAND_GLYPHS[name]}
        onClick={commands[name]}
      />
    );

  return (
    <header className="header">
      <SidebarButton />
      <h1 className="header__title" title={title} dir="auto">{title}</h1>
      {may.here && CHOSEN.map(wide)}
      <SearchButton />
      {may.here && (
        <div className="header__actions">
          {wide("download")}
          <ShellButton />
          <IconButton
            className="header__wide"
            label={t(`view.${view.next}`)}
            glyph={VIEW_GLYPHS[view.next]}
            onClick={() => view.choose(view.next)}
          />
          <IconButton
            className="header__more"
            label={t("buttons.more")}
            glyph={EllipsisVertical}
            aria-haspopup="menu"
            aria-expanded={menu.value?.of === "folder"}
            onClick={(event) => menu.value = { of: "folder", ...below(event.currentTarget) }}
          />
          {may.create && (
            <>
              <Button
                className="header__wide"
                glyph={COMMAND_GLYPHS.newFolder}
                onClick={commands.newFolder}
              >
                {t("buttons.newFolder")}
              </Button>
              <Button look="primary" glyph={Upload} popovertarget={UPLOAD_MENU}>
                {t("buttons.upload")}
              </Button>
            </>
          )}
        </div>
      )}
    </header>
  );
}
