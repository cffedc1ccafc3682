import { Download, EllipsisVertical, Share2 } from "lucide";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { displayName } from "../../../shared/entry_names.ts";
import { success } from "../../../shared/result.ts";
import type { Target } from "../../base/files/target.ts";
import { useMay, useMaySave } from "../../base/core/use_site.ts";
import { indexOf } from "../../base/files/page_dom.ts";
import type { Listing } from "../listing/listing.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { IconButton } from "../../../../components/Button.tsx";
import { ButtonsInRow } from "./ButtonsInRow.tsx";
import { below } from "./row_menu.ts";
import { useActionMenu, useOpenRowMenu } from "./use_action_menu.ts";
import { useActiveRow } from "./use_active_row.ts";

interface RowActionsProps {
  /** The element that scrolls the rows. */
  scroller: RefObject<HTMLElement>;
}

/**
 * The quick actions of the one row that the mouse is over or that has the keyboard's focus, drawn
 * into that row: long listings would be slow with buttons in every row. On touch devices rows have
 * a button of their own for the menu.
 */
export function RowActions({ scroller }: RowActionsProps) {
  const { t } = useTranslation();
  const { listing, actions } = useFiles();
  const may = useMay();
  const maySave = useMaySave();
  const menu = useActionMenu();
  const openMenu = useOpenRowMenu();
  const row = useActiveRow(scroller, menu);
  const entry = row?.isConnected ? listing.rows.value.at(indexOf(row)) : undefined;
  if (!row || !entry || listing.selection.multiple.value || row.querySelector(".row__more")) {
    return null;
  }
  const name = displayName(entry.name);
  const mayDownload = maySave && entry.type !== "invalid_link";
  return (
    <ButtonsInRow row={row}>
      {mayDownload && (
        <IconButton
          label={t("prompts.downloadOne", { name })}
          glyph={Download}
          onClick={() => void actions.downloadSelection(targetOfEntry(listing, entry))}
        />
      )}
      {mayDownload && may("share") && (
        <IconButton
          label={t("sharing.title", { name })}
          glyph={Share2}
          onClick={() => void actions.share(targetOfEntry(listing, entry))}
        />
      )}
      <IconButton
        label={t("files.actionsOf", { name })}
        glyph={EllipsisVertical}
        aria-haspopup="menu"
        aria-expanded={menu.value?.row === row}
        onClick={({ currentTarget }) => openMenu(indexOf(row), below(currentTarget), row)}
      />
    </ButtonsInRow>
  );
}

/** One entry of the open folder, whatever is selected. */
function targetOfEntry(listing: Listing, entry: Entry): Target {
  return {
    folder: listing.path.peek(),
    size: 1,
    known: () => [entry],
    names: () => Promise.resolve(success([entry.name])),
  };
}
