import { ArrowDownAZ, ArrowUpAZ, type IconNode } from "lucide";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import {
  densities,
  groupings,
  sortKeys,
  tileSizes,
  viewModes,
} from "../../../../shared/schemas/choices/choices.ts";
import { VIEW_GLYPHS } from "../../../base/files/glyphs.ts";
import { useFiles, useLeftPlace } from "../../../base/files/use_files.ts";
import { reasonOf } from "../../../base/api/reasons.ts";
import { useToasts } from "../../../base/core/use_site.ts";
import { Button } from "../../../../../components/Button.tsx";
import { Icon } from "../../../../../components/Icon.tsx";
import { SheetGrip } from "../../../../../components/Menu.tsx";
import { useClosingPress } from "../../../base/ui/popover_press.ts";

interface ViewMenuProps {
  /** The end of its button, in CSS pixels of the window. */
  at: { x: number; y: number };
  onClose: () => void;
}

/** Everything about how the open folder is shown: a popover, on small screens a bottom sheet. */
export function ViewMenu({ at, onClose }: ViewMenuProps) {
  const { t } = useTranslation();
  const { listing, view } = useFiles();
  const box = useRef<HTMLDivElement>(null);
  const { viewMode, tileSize } = view.now.value;
  const { density, typeColumn } = view.account.value;
  const sorting = listing.sorting.value;
  const groupBy = listing.resource.value?.groupBy ?? "none";
  const hasTypes = typeColumn === "shown" ||
    (typeColumn === "auto" && matchMedia("(width > 90em)").matches);
  useLeftPlace(onClose);
  useClosingPress(box);
  useLayoutEffect(() => {
    const menu = box.current;
    if (!menu) return;
    menu.showPopover();
    menu.querySelector<HTMLElement>(":checked")?.focus();
    const { clientWidth } = document.documentElement;
    const isMirrored = getComputedStyle(menu).direction === "rtl";
    const room = clientWidth - menu.offsetWidth - MARGIN;
    const left = isMirrored ? at.x : at.x - menu.offsetWidth;
    menu.style.left = `${Math.max(MARGIN, Math.min(left, room))}px`;
    menu.style.top = `${at.y}px`;
    menu.style.maxBlockSize = `calc(100dvh - ${at.y + MARGIN}px)`;
  }, [at]);

  return (
    <div
      ref={box}
      popover="auto"
      role="dialog"
      className="menu view-menu"
      aria-label={t("views.options")}
      onToggle={(event) => event.newState === "closed" && onClose()}
    >
      <SheetGrip sheet={box} />
      <Choice
        label={t("views.title")}
        options={viewModes}
        chosen={viewMode}
        textOf={(mode) => t(`views.${mode}`)}
        glyphOf={(mode) => VIEW_GLYPHS[mode]}
        onChoose={(mode) => view.choose(mode)}
        onAgain={(mode) => view.choose(mode)}
      />
      {viewMode !== "list" && (
        <Choice
          label={t("views.size")}
          options={tileSizes}
          chosen={tileSize}
          textOf={(size) => t(`views.${size}`)}
          onChoose={(size) => view.change({ tileSize: size })}
        />
      )}
      {viewMode === "list" && (
        <div className="view-menu__list">
          <Choice
            label={t("views.density")}
            options={densities}
            chosen={density}
            textOf={(density) => t(`views.${density}`)}
            onChoose={(density) => view.changeAccount({ density })}
          />
          <label className="view-menu__check">
            <input
              type="checkbox"
              className="tick"
              checked={hasTypes}
              onChange={(event) => {
                const typeColumn = event.currentTarget.checked ? "shown" : "hidden";
                view.changeAccount({ typeColumn });
              }}
            />
            {t("views.type")}
          </label>
        </div>
      )}
      <Choice
        label={t("settings.sortBy")}
        options={sortKeys}
        chosen={sorting.by}
        textOf={(by) => t(`files.column.${by}`)}
        onChoose={(by) => void listing.sort({ by })}
      />
      <Choice
        label={t("settings.sortOrder")}
        options={ORDERS}
        chosen={sorting.asc ? "asc" : "desc"}
        textOf={(order) => order === "asc" ? t("settings.ascending") : t("settings.descending")}
        glyphOf={(order) => order === "asc" ? ArrowDownAZ : ArrowUpAZ}
        onChoose={(order) => void listing.sort({ asc: order === "asc" })}
      />
      <Choice
        label={t("views.group")}
        options={groupings}
        chosen={groupBy}
        textOf={(grouping) => grouping === "none" ? t("views.ungrouped") : t(`views.${grouping}`)}
        onChoose={(grouping) => void listing.group(grouping)}
      />
      <Everywhere />
    </div>
  );
}

const ORDERS = ["asc", "desc"] as const;

/** The smallest distance between the menu and the edges of the window, in pixels. */
const MARGIN = 8;

/** Makes the view of the folder that of all folders. */
function Everywhere(): ReactNode {
  const { t } = useTranslation();
  const { listing, view } = useFiles();
  const toasts = useToasts();
  const save = async () => {
    const saved = await view.everywhere(listing.order);
    if (saved.ok) toasts.success(t("toasts.viewEverywhere"));
    else toasts.error(reasonOf(t, saved));
  };
  return (
    <div className="view-menu__foot">
      <p>{t("views.remembered")}</p>
      <Button wide onClick={save}>
        {t("views.everywhere")}
      </Button>
    </div>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  options: readonly T[];
  chosen: T;
  textOf: (option: T) => string;
  glyphOf?: (option: T) => IconNode;
  onChoose: (option: T) => void;
  /** Another click on what is chosen. */
  onAgain?: (option: T) => void;
}

/** One of a few: radio buttons that look like a segmented control. */
function Choice<T extends string>(
  { label, options, chosen, textOf, glyphOf, onChoose, onAgain }: ChoiceProps<T>,
) {
  return (
    <fieldset className="segments">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option} className="segment">
          <input
            type="radio"
            name={`view ${label}`}
            checked={option === chosen}
            onChange={() => onChoose(option)}
            onClick={() => option === chosen && onAgain?.(option)}
          />
          {glyphOf && <Icon glyph={glyphOf(option)} />}
          {textOf(option)}
        </label>
      ))}
    </fieldset>
  );
}
