import type { Signal } from "@preact/signals";
import { EllipsisVertical, FolderOpen, X } from "lucide";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { Menu, MenuItem } from "../../../../components/Menu.tsx";
import { below, type MenuRequest } from "../menu/row_menu.ts";
import type { Selection } from "../selection/selection.ts";
import type { PlaceAction } from "./PlaceList.tsx";

/** The most buttons of a bar; the others are in the menu. */
const MOST_BUTTONS = 3;

interface PlaceBarProps<Item> {
  selection: Selection;
  menu: Signal<MenuRequest | null>;
  /** Those that can be done with what is selected. */
  actions: readonly PlaceAction<Item>[];
  run: (action: PlaceAction<Item>) => void;
}

/** The button that ends the selection, and those for the actions on it. */
export function PlaceBar<Item>({ selection, menu, actions, run }: PlaceBarProps<Item>) {
  const { t } = useTranslation();
  return (
    <>
      <IconButton
        className="chosen__clear"
        label={t("files.clearSelection")}
        glyph={X}
        onClick={() => {
          selection.clear();
          selection.multiple.value = false;
        }}
      />
      {actions.length > 0 && (
        <div className="chosen__acts" role="group" aria-label={t("files.actionsOfSelection")}>
          {actions.slice(0, MOST_BUTTONS).map((action) => (
            <Button
              key={action.id}
              variant="quiet"
              glyph={action.glyph}
              data-act={action.id}
              title={action.label}
              onClick={() => run(action)}
            >
              {action.label}
            </Button>
          ))}
          {actions.length > MOST_BUTTONS && (
            <Button
              variant="quiet"
              glyph={EllipsisVertical}
              data-act="more"
              title={t("files.actionsOfSelection")}
              aria-haspopup="menu"
              onClick={(event) => menu.value = { of: "selection", ...below(event.currentTarget) }}
            >
              {t("files.moreOfSelection")}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

interface PlaceMenuProps<Item> {
  request: MenuRequest;
  /** The subject of the menu. */
  title: string | undefined;
  /** The page of the one that is selected. */
  href: string | undefined;
  actions: readonly PlaceAction<Item>[];
  run: (action: PlaceAction<Item>) => void;
  onClose: (isChosen: boolean) => void;
}

/** The menu of actions for the selected rows. */
export function PlaceMenu<Item>(props: PlaceMenuProps<Item>) {
  const { request, title, href, actions, run, onClose } = props;
  const { t } = useTranslation();
  const chosen = useRef(false);
  const plain = actions.filter(({ isDanger }) => !isDanger);
  const dangerous = actions.filter(({ isDanger }) => isDanger);
  const itemOf = (action: PlaceAction<Item>) => (
    <MenuItem
      key={action.id}
      glyph={action.glyph}
      danger={action.isDanger}
      onClick={() => {
        chosen.current = true;
        run(action);
      }}
    >
      {action.label}
    </MenuItem>
  );
  return (
    <Menu
      id="action-menu"
      label={t("buttons.more")}
      title={title}
      at={request}
      onClose={() => onClose(chosen.current)}
    >
      {href !== undefined && (
        <MenuItem glyph={FolderOpen} onClick={() => location.assign(href)}>
          {t("commands.open")}
        </MenuItem>
      )}
      {plain.map(itemOf)}
      {dangerous.length > 0 && (plain.length > 0 || href !== undefined) && (
        <hr className="menu__rule" />
      )}
      {dangerous.map(itemOf)}
    </Menu>
  );
}
