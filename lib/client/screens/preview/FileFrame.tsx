import {
  ArrowLeft,
  ChevronLeft,
  ChevronRight,
  EllipsisVertical,
  ExternalLink,
  FileText,
  type IconNode,
  Pencil,
  Replace,
} from "lucide";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton, IconLink } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { Menu, MenuItem } from "../../../../components/Menu.tsx";
import { mediaTypes } from "../../../shared/schemas/choices/choices.ts";
import { isOfficeName } from "../../../shared/file_kinds.ts";
import { displayName } from "../../../shared/entry_names.ts";
import { nameOf, parentOf, parsePath, ROOT } from "../../../shared/path.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { repeatDrawnClick } from "../../base/core/early_click.ts";
import { formatBytes } from "../../base/core/format.ts";
import { usePage } from "../../base/core/page.ts";
import { useApi, useMay, useMaySave } from "../../base/core/use_site.ts";
import { printPage } from "../../base/core/print_sheet.ts";
import { useOfficeLink } from "../../base/files/office_link.ts";
import { useShareTools } from "../../base/files/share_tools.ts";
import { useFiles } from "../../base/files/use_files.ts";
import {
  type CommandName,
  GLYPHS,
  useCommands,
  useCommandWords,
} from "../../files_page/menu/commands.ts";
import { useMediaInfo } from "../../files_page/listing/thumbs/use_media_info.ts";
import { EntryName } from "../../files_page/listing/EntryRow.tsx";
import type { Neighbourhood } from "./use_neighbourhood.ts";
import { inlineAddress } from "./preview_source.ts";
import { useMediaNow } from "./use_screen.ts";

/** The commands with a button in the head, in their order. */
const HEAD = ["share", "download", "moveTo", "rename", "delete", "info"] as const;

/** Those with a button on phones; the others are in the menu. */
const FIRST: readonly CommandName[] = ["share", "download"];

/** The characters of a name that are nearly always in view beside the buttons. */
const NAME_ROOM = 24;

/** Formats of scans and of phones that may hold several pictures, of which the first is shown. */
const MANY_PICTURES = new Set([".heic", ".heif", ".tif", ".tiff"]);

/** The commands that are in the menu on every screen. */
const MENU = ["copyTo", "star", "unstar"] as const;

/** An item of the menu that concerns one kind of files. */
export type FrameItem = readonly [word: string, glyph: IconNode, run: () => void];

interface FileFrameProps {
  entry: Entry;
  nearby: Neighbourhood;
  frame?: RefObject<HTMLElement>;
  /** The head's first action: to edit, or to save. */
  first?: ReactNode;
  /** More items of the menu. */
  items?: readonly FrameItem[];
  /** Its place among what can be shown beside it, from 0; null while it is not known. */
  place?: { at: number; of: number } | null;
  /** Nothing moves: the controls hide. */
  isIdle?: boolean;
  /** The head lies over the content. */
  isBare?: boolean;
  /** A slideshow: nothing is beside it. */
  isShow?: boolean;
  children: ReactNode;
}

/** The frame of every open file, which fills the window: its head, and below it the content. */
export function FileFrame(
  { entry, frame, isIdle, isBare, isShow, children, ...head }: FileFrameProps,
) {
  const { t } = useTranslation();
  return (
    <section
      className="viewer"
      ref={frame}
      tabIndex={-1}
      aria-label={t("preview.label", { name: displayName(entry.name) })}
      data-stage={isOnStage(entry) || undefined}
      data-idle={isIdle || undefined}
      data-bare={isBare || undefined}
      data-show={isShow || undefined}
    >
      <FileHead entry={entry} {...head} />
      {children}
    </section>
  );
}

/** Whether a file is shown on the dark stage, with controls over it. */
export function isOnStage({ type }: Pick<Entry, "type">): boolean {
  return mediaTypes.has(type);
}

/** Tells that there are more pictures in a file than the one that is shown. */
function FirstOf({ entry }: { entry: Entry }) {
  const { t } = useTranslation();
  const { pages = 1 } = useMediaInfo(entry) ?? {};
  return pages > 1 ? <span>{t("preview.pageOf", { at: 1, of: pages })}</span> : null;
}

type FileHeadProps =
  & Pick<FileFrameProps, "entry" | "first" | "items" | "place">
  // Without them it is the picture of a head, which the server draws.
  & Partial<Pick<FileFrameProps, "nearby">>;

/** The line above a file: the way back, its name and its folder, and its actions. */
export function FileHead({ entry, nearby, first, items = [], place }: FileHeadProps) {
  const { t, i18n: { language } } = useTranslation();
  const { navigation } = useFiles();
  const api = useApi();
  const commands = useFileCommands(entry, nearby?.remove);
  const words = useCommandWords();
  const head = useRef<HTMLElement>(null);
  useEffect(() => {
    if (nearby && head.current) repeatDrawnClick(entry.path, head.current);
  }, []);
  const { path } = parsePath(entry.path);
  const folder = parentOf(path);
  const { share } = usePage().data;
  const folderName = displayName(nameOf(folder)) || (share?.name ?? t("files.myFiles"));
  const isThere = entry.type !== "invalid_link";
  const facts = [
    place && t("share.place", { place: place.at + 1, total: place.of }),
    isThere && formatBytes(entry.size, language),
  ].filter(Boolean);
  return (
    <header className="viewer__head" ref={head}>
      {path === ROOT
        // A file that is shared alone has no folder.
        ? null
        : nearby
        ? (
          <IconButton
            label={t("preview.close")}
            glyph={ArrowLeft}
            mirror
            onClick={() => navigation.leave()}
          />
        )
        : (
          <IconLink
            label={t("preview.close")}
            glyph={ArrowLeft}
            mirror
            href={navigation.href(folder)}
            data-place
          />
        )}
      <div className="viewer__about">
        <h1 className="viewer__name" title={displayName(entry.name)} dir="auto">
          <EntryName name={displayName(entry.name)} room={NAME_ROOM} />
        </h1>
        <p className="viewer__size">
          {path !== ROOT && (
            <a className="viewer__folder" data-place href={navigation.href(folder)} dir="auto">
              {folderName}
            </a>
          )}
          {facts.map((fact, index) => <span key={index}>{fact}</span>)}
          {MANY_PICTURES.has(entry.extension) && <FirstOf entry={entry} />}
          {share?.owner && (
            <span className="viewer__owner">{t("share.by", { name: share.owner })}</span>
          )}
        </p>
      </div>
      <div className="viewer__acts">
        {first ?? <OfficeWay entry={entry} />}
        {HEAD.filter((name) => commands[name]).map((name) => {
          const className = `viewer__act${FIRST.includes(name) ? "" : " viewer__act--wide"}`;
          if (name === "download" && !nearby) {
            const href = api.rawAddress(path);
            return (
              <IconLink key={name} label={words[name]} glyph={GLYPHS[name]} href={href} download />
            );
          }
          return (
            <Button
              key={name}
              variant="quiet"
              className={className}
              title={words[name]}
              glyph={GLYPHS[name]}
              data-command={name}
              onClick={commands[name]}
            >
              {words[name]}
            </Button>
          );
        })}
        {nearby && !isOnStage(entry) && <Turns nearby={nearby} className="viewer__act--wide" />}
        {nearby && <FrameMenu entry={entry} nearby={nearby} items={items} commands={commands} />}
      </div>
    </header>
  );
}

/** The way of a document into the office server. */
function OfficeWay({ entry }: { entry: Entry }) {
  const { t } = useTranslation();
  const link = useOfficeLink()(entry);
  return link && (
    <a className="button button--primary" href={link.href}>
      <Icon glyph={link.right === "edit" ? Pencil : FileText} />
      <span className="button__word">
        {link.right === "edit" ? t("commands.edit") : t("office.view")}
      </span>
    </a>
  );
}

interface TurnsProps {
  nearby: Neighbourhood;
  className: string;
}

/** The buttons to the previous and to the next file. */
export function Turns(
  { nearby: { neighbours: { previous, next }, turnTo }, className }: TurnsProps,
) {
  const { t } = useTranslation();
  return (
    <>
      {previous && (
        <IconButton
          className={`${className} ${className}--previous`}
          label={t("preview.previous")}
          glyph={ChevronLeft}
          mirror
          onClick={() => turnTo(previous)}
        />
      )}
      {next && (
        <IconButton
          className={`${className} ${className}--next`}
          label={t("preview.next")}
          glyph={ChevronRight}
          mirror
          onClick={() => turnTo(next)}
        />
      )}
    </>
  );
}

/** The commands on the open file. What changes its path asks about unsaved changes first. */
function useFileCommands(entry: Entry, remove: (() => void) | undefined) {
  const { navigation: { guard } } = useFiles();
  const commands = useCommands(entry);
  const shared = useShareTools().act.value;
  if (shared) {
    // A file that is shared alone keeps its name and its place.
    if (entry.path === ROOT) return commands;
    return {
      ...commands,
      moveTo: () => shared("move"),
      rename: () => shared("rename"),
      delete: () => shared("delete"),
    };
  }
  const settled = (run: (() => void) | undefined) =>
    run && (() => void guard.mayLeave().then((may) => may && run()));
  return {
    ...commands,
    moveTo: settled(commands.moveTo),
    rename: settled(commands.rename),
    delete: commands.delete && settled(remove ?? commands.delete),
  };
}

/** Whether the page prints a file: the browser's own reader prints PDFs. */
function isPrinted({ name, type }: Entry): boolean {
  if (type === "pdf" || isOfficeName(name)) return navigator.pdfViewerEnabled === false;
  return type !== "audio" && type !== "video";
}

interface FrameMenuProps extends Required<Pick<FileFrameProps, "entry" | "nearby" | "items">> {
  commands: ReturnType<typeof useFileCommands>;
}

const ID = "viewer-menu";

/** The button and the menu with everything that has no place in the head. */
function FrameMenu({ entry, nearby, items, commands }: FrameMenuProps) {
  const { t } = useTranslation();
  const api = useApi();
  const words = useCommandWords();
  const mayRead = useMay()("download") && entry.type !== "invalid_link";
  const maySave = useMaySave() && mayRead;
  const shared = useShareTools().act.value;
  const isNarrow = useMediaNow("(width <= 46em)");
  const hidden = isNarrow ? HEAD.filter((name) => !FIRST.includes(name)) : [];
  const others = [...hidden, ...MENU].filter((name) => commands[name] && name !== "delete");
  const { next, previous } = nearby.neighbours;
  const turns: (FrameItem | false | null)[] = [
    previous && [t("preview.previous"), ChevronLeft, () => nearby.turnTo(previous)],
    next && [t("preview.next"), ChevronRight, () => nearby.turnTo(next)],
  ];
  const open = () => {
    globalThis.open(inlineAddress(api, parsePath(entry.path).path), "_blank", "noopener");
  };
  const all = [
    ...isNarrow && !isOnStage(entry) ? turns : [],
    ...items,
    shared && [t("share.replace"), Replace, () => shared("replace")] as const,
    maySave && isPrinted(entry) && [words.print, GLYPHS.print, () => void printPage()] as const,
    maySave && [t("preview.open"), ExternalLink, open] as const,
  ].filter((item) => !!item);
  if (others.length + all.length === 0) return null;
  return (
    <>
      <IconButton
        label={t("buttons.more")}
        glyph={EllipsisVertical}
        popovertarget={ID}
        aria-haspopup="menu"
      />
      <Menu id={ID} label={t("buttons.more")}>
        {others.map((name) => (
          <MenuItem
            key={name}
            glyph={GLYPHS[name]}
            onClick={() => commands[name]?.()}
          >
            {words[name]}
          </MenuItem>
        ))}
        {others.length > 0 && all.length > 0 && <hr className="menu__rule" />}
        {all.map(([word, glyph, run]) => (
          <MenuItem key={word} glyph={glyph} onClick={run}>{word}</MenuItem>
        ))}
        {isNarrow && commands.delete && (
          <>
            <hr className="menu__rule" />
            <MenuItem glyph={GLYPHS.delete} danger onClick={commands.delete}>
              {words.delete}
            </MenuItem>
          </>
        )}
      </Menu>
    </>
  );
}
