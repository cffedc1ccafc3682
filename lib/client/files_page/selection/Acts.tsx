import { EllipsisVertical, FolderOpen, type IconNode, X } from "lucide";
import { type ComponentProps, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { Menu, MenuItem } from "../../../../components/Menu.tsx";
import { below, type MenuRequest } from "../menu/row_menu.ts";
import type { Selection } from "./selection.ts";

/** Something to be done with what is selected. */
export interface Act {
  /** Of its button. */
  id: string;
  label: string;
  /** Shown over the button, where it tells more than the label. */
  title?: string;
  glyph: IconNode;
  /** Deletes for good, or ends something. */
  isDanger?: boolean | undefined;
  run: () => void;
}

/** The most buttons of a bar with a menu of the others. */
const MOST_BUTTONS = 3;

interface ActBarProps {
  selection: Selection;
  acts: readonly Act[];
  /** The attributes of the button of a menu with further actions. */
  more?: ComponentProps<"button"> | undefined;
}

/** The button that ends the selection, and those for the actions on it. */
export function ActBar({ selection, acts, more }: ActBarProps) {
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
      {(acts.length > 0 || more) && (
        <div className="chosen__acts" role="group" aria-label={t("files.actionsOfSelection")}>
          {acts.map(({ id, label, title = label, glyph, run }) => (
            <Button
              key={id}
              variant="quiet"
              glyph={glyph}
              data-act={id}
              title={title}
              onClick={run}
            >
              {label}
            </Button>
          ))}
          {more && (
            <Button
              variant="quiet"
              glyph={EllipsisVertical}
              data-act="more"
              title={t("files.actionsOfSelection")}
              {...more}
            >
              {t("files.moreOfSelection")}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

interface PlaceBarProps {
  selection: Selection;
  /** Those that can be done with what is selected; the first have buttons. */
  acts: readonly Act[];
  /** Opens the menu of all. */
  onMore: (at: Pick<MenuRequest, "x" | "y">) => void;
}

/** The bar of a list of entries from many folders. */
export function PlaceBar({ selection, acts, onMore }: PlaceBarProps) {
  return (
    <ActBar
      selection={selection}
      acts={acts.slice(0, MOST_BUTTONS)}
      more={acts.length > MOST_BUTTONS
        ? {
          "aria-haspopup": "menu",
          onClick: ({ currentTarget }) => onMore(below(currentTarget)),
        }
        : undefined}
    />
  );
}

interface ActMenuProps {
  request: Pick<MenuRequest, "x" | "y">;
  /** The subject of the menu. */
  title: string | undefined;
  /** Opens the one that is selected; absent where there are more. */
  onOpen: (() => void) | undefined;
  acts: readonly Act[];
  onClose: (isChosen: boolean) => void;
}

/** The menu of actions for the selected rows. */
export function ActMenu({ request, title, onOpen, acts, onClose }: ActMenuProps) {
  const { t } = useTranslation();
  const chosen = useRef(false);
  const plain = acts.filter(({ isDanger }) => !isDanger);
  const dangerous = acts.filter(({ isDanger }) => isDanger);
  const itemOf = ({ id, glyph, isDanger, label, run }: Act) => (
    <MenuItem
      key={id}
      glyph={glyph}
      danger={isDanger}
      onClick={() => {
        chosen.current = true;
        run();
      }}
    >
      {label}
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
      {onOpen && itemOf({ id: "open", label: t("commands.open"), glyph: FolderOpen, run: onOpen })}
      {plain.map(itemOf)}
      {dangerous.length > 0 && (plain.length > 0 || onOpen) && <hr className="menu__rule" />}
      {dangerous.map(itemOf)}
    </Menu>
  );
}
