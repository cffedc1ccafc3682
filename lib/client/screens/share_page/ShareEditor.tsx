import { Download, FolderInput, FolderPlus, Pencil, Replace, Trash2 } from "lucide";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { FileInput } from "../../../../components/FileInput.tsx";
import {
  childOf,
  type EntryPath,
  isInside,
  nameOf,
  parentOf,
  parsePath,
  ROOT,
} from "../../../shared/path.ts";
import type { Failure } from "../../../shared/result.ts";
import { DownloadPrompt } from "../../files_page/actions/DownloadPrompt.tsx";
import { reasonOf } from "../../base/api/reasons.ts";
import { cleanName } from "../../base/core/names.ts";
import { usePage, useShared } from "../../base/core/page.ts";
import { useApi, useToasts } from "../../base/core/use_site.ts";
import { type ShareAction, useShareTools } from "../../base/files/share_tools.ts";
import { NewFolderPrompt, RenamePrompt } from "../../base/prompts/NamePrompt.tsx";
import { ToastStack } from "../../base/ui/Toasts.tsx";
import {
  discardAll,
  type EditNotice,
  keepNotice,
  moveAll,
  SharedEdits,
  takeNotice,
  undoAll,
} from "./shared_edits.ts";
import { shareLinks } from "./share_links.ts";
import {
  downloadTicked,
  entryOfRow,
  focusRow,
  nameAfter,
  type RowAction,
  type SharedRowEntry,
  sharedRows,
  useRowEvents,
} from "./shared_rows.ts";
import { Menu, MenuItem } from "../../../../components/Menu.tsx";
import { Prompt } from "../../../../components/Prompt.tsx";
import { FolderTree } from "../../files_page/actions/destination/folder_tree.ts";
import { FolderTreeView } from "../../files_page/actions/destination/FolderTreeView.tsx";

/** The props of the tools by which a recipient changes what is shared. */
export interface ShareEditorProps {
  /** The address of the share. */
  hash: string;
  /** In place of the share's password; "" where it has none. */
  token: string;
  /** The name of the shared entry. */
  name: string;
  /** The folder or the file on the page, in the share. */
  path: string;
  isDir: boolean;
}

/** The question asked; a prompt is drawn anew with each. */
type Question =
  | { kind: "newDir"; initial: string; complaint?: string }
  | { kind: "rename"; entry: SharedRowEntry; initial: string; complaint?: string }
  | { kind: "move"; names: readonly string[] }
  | { kind: "download"; count: number };

/**
 * The tools of a recipient who may edit: for a folder a button besides what its list offers, for a
 * file the one to replace it, and in a folder the rest that its list has. After a change the page
 * is loaded anew, or that of the folder which had the file, and then tells of it.
 */
export function ShareEditor({ hash, token, name: top, path, isDir }: ShareEditorProps) {
  const { t } = useTranslation();
  const { BaseURL } = usePage().data.config;
  const { calls } = useApi();
  const toasts = useToasts();
  const links = shareLinks(BaseURL, { hash, token });
  const edits = useShared("edits", () => new SharedEdits(calls, { hash, token }));
  const tools = useShareTools();
  // The viewer goes on to other files of the folder.
  const shown = (!isDir && tools.opened.value) || parsePath(path).path;
  const isWithin = !isDir && shown !== ROOT;
  const folder = isWithin ? parentOf(shown) : shown;
  const [question, setQuestion] = useState<Question | null>(null);
  const [menu, setMenu] = useState<MenuState | null>(null);
  const [isBusy, setBusy] = useState(false);
  const replacing = useRef<{ input: HTMLInputElement | null; at: EntryPath }>({
    input: null,
    at: shown,
  });

  const showErrors = (errors: readonly string[]) => {
    for (const error of errors) toasts.error(error);
  };
  const leave = (notice: Omit<EditNotice, "hash">, isStill = !isWithin) => {
    // Where nothing was done the page stays: anew it may have no tools, nor a message.
    if (notice.text === "" && notice.errors.length > 0) return showErrors(notice.errors);
    keepNotice({ hash, ...notice });
    if (isStill) location.reload();
    else location.assign(links.page(folder, true));
  };
  const busily = async (change: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    await change();
    setBusy(false);
  };
  const discard = (names: readonly string[]) =>
    busily(async () => {
      const outcome = await discardAll(edits, t, { folder, names });
      leave({ ...outcome, focus: nameAfter(new Set(names)) });
    });
  const act = (action: RowAction, entries: readonly SharedRowEntry[]) => {
    const [entry] = entries;
    const names = entries.map(({ name }) => name);
    if (!entry || isBusy) return;
    if (action === "delete") void discard(names);
    if (action === "move") setQuestion({ kind: "move", names });
    if (action === "rename") setQuestion({ kind: "rename", entry, initial: entry.name });
  };
  const download = ([entry, ...others]: readonly SharedRowEntry[]) => {
    if (!entry) return;
    if (others.length > 0) setQuestion({ kind: "download", count: others.length + 1 });
    else location.assign(links.download(childOf(folder, entry.name)));
  };
  const replace = (entry: EntryPath) => {
    replacing.current.at = entry;
    replacing.current.input?.click();
  };
  const send = (file: File | undefined) =>
    busily(async () => {
      if (!file) return;
      const { at: target } = replacing.current;
      const answer = await edits.replace(target, file);
      const name = nameOf(target) || top;
      if (answer.ok) {
        leave({ text: t("share.replaced", { name }), errors: [], undo: [], focus: name }, true);
      } else toasts.error(t("failures.replace", { name, reason: reasonOf(t, answer) }));
    });
  const make = (typed: string) =>
    busily(async () => {
      const name = cleanName(typed);
      const made = await edits.makeFolder(childOf(folder, name));
      if (made.ok) return leave({ text: "", errors: [], undo: [], focus: name });
      const reason = reasonOf(t, made);
      if (isAboutName(made)) setQuestion({ kind: "newDir", initial: name, complaint: reason });
      else toasts.error(t("failures.newFolder", { name, reason }));
    });
  const rename = (entry: SharedRowEntry, typed: string) =>
    busily(async () => {
      const name = cleanName(typed);
      const from = childOf(folder, entry.name);
      const moved = await edits.move(from, childOf(folder, name));
      if (moved.ok) {
        const undo = [{ from: moved.value, to: from }];
        return leave({ text: t("toasts.renamed", { name }), errors: [], undo, focus: name });
      }
      const reason = reasonOf(t, moved);
      if (isAboutName(moved)) {
        setQuestion({ kind: "rename", entry, initial: name, complaint: reason });
      } else toasts.error(t("failures.rename", { name: entry.name, reason }));
    });
  const move = (names: readonly string[], to: EntryPath) =>
    busily(async () => {
      const outcome = await moveAll(edits, t, { folder, names, to });
      leave({ ...outcome, focus: nameAfter(new Set(names)) });
    });

  const latest = useRef<(action: ShareAction) => void>(() => {});
  latest.current = (action) => {
    if (action === "replace") replace(shown);
    else act(action, [{ name: nameOf(shown), isDir }]);
  };
  useEffect(() => {
    if (isDir) return;
    tools.act.value = (action) => latest.current(action);
    return () => void (tools.act.value = null);
  }, []);
  useRowEvents({
    onAction: act,
    onMenu: (entries, point) => setMenu({ entries, at: point }),
  });
  useEffect(() => {
    const notice = takeNotice(hash);
    if (!notice) return;
    const { text, errors, undo, focus } = notice;
    const takeBack = async () => leave(await undoAll(edits, t, undo));
    if (text !== "") toasts.success(text, undo.length > 0 ? () => void takeBack() : undefined);
    showErrors(errors);
    if (focus !== undefined) focusRow(focus);
  }, []);

  return (
    <>
      {isDir
        ? (
          <Button
            glyph={FolderPlus}
            aria-busy={isBusy}
            onClick={() => setQuestion({ kind: "newDir", initial: "" })}
          >
            {t("buttons.newFolder")}
          </Button>
        )
        : (
          <Button glyph={Replace} aria-busy={isBusy} onClick={() => replace(shown)}>
            {t("share.replace")}
          </Button>
        )}
      {isWithin && <FileActions onAction={latest.current} />}
      <FileInput
        label={t("share.replace")}
        inputRef={(input) => void (replacing.current.input = input)}
        onChoose={([chosen]) => void send(chosen)}
      />
      {menu && (
        <SharedMenu
          {...menu}
          onDownload={download}
          onReplace={({ name }) => replace(childOf(folder, name))}
          onAction={act}
          onClose={() => setMenu(null)}
        />
      )}
      {question?.kind === "newDir" && (
        <NewFolderPrompt
          key={question.complaint}
          input={{ ...question, isDir: true, taken: isTaken }}
          onAnswer={(typed) => answered(() => make(typed))}
          onClose={() => setQuestion(null)}
        />
      )}
      {question?.kind === "rename" && (
        <RenamePrompt
          key={question.complaint}
          input={{
            ...question,
            former: question.entry.name,
            isDir: question.entry.isDir,
            taken: (name) => name !== question.entry.name && isTaken(name),
          }}
          onAnswer={(typed) => answered(() => rename(question.entry, typed))}
          onClose={() => setQuestion(null)}
        />
      )}
      {question?.kind === "download" && (
        <DownloadPrompt
          input={question}
          onAnswer={(format) => answered(() => downloadTicked(format))}
          onClose={() => setQuestion(null)}
        />
      )}
      {question?.kind === "move" && (
        <MoveSharedPrompt
          edits={edits}
          top={top}
          folder={folder}
          names={question.names}
          onAnswer={(to) => answered(() => move(question.names, to))}
          onClose={() => setQuestion(null)}
        />
      )}
      <div className="corner">
        <ToastStack />
      </div>
    </>
  );

  function answered(change: () => Promise<void> | void): void {
    setQuestion(null);
    void change();
  }
}

function isTaken(name: string): boolean {
  return sharedRows().some((row) => entryOfRow(row).name === name);
}

/** Whether another name would be taken. */
function isAboutName({ code }: Failure): boolean {
  return code === "exists" || code === "is_folder" || code === "invalid_name";
}

/** The buttons of a file on its own page, besides those to download and to replace it. */
function FileActions({ onAction }: { onAction: (action: RowAction) => void }) {
  const { t } = useTranslation();
  return (
    <>
      <Button glyph={Pencil} onClick={() => onAction("rename")}>{t("commands.rename")}</Button>
      <Button glyph={FolderInput} onClick={() => onAction("move")}>{t("commands.moveTo")}</Button>
      <Button glyph={Trash2} onClick={() => onAction("delete")}>{t("commands.delete")}</Button>
    </>
  );
}

/** The entries of the menu, and its point of the window, in CSS pixels. */
export interface MenuState {
  entries: readonly SharedRowEntry[];
  at: { x: number; y: number };
}

interface SharedMenuProps extends MenuState {
  onDownload: (entries: readonly SharedRowEntry[]) => void;
  onReplace: (entry: SharedRowEntry) => void;
  onAction: (action: RowAction, entries: readonly SharedRowEntry[]) => void;
  onClose: () => void;
}

/** The menu of one entry, or of the ticked ones. */
function SharedMenu(
  { entries, at, onDownload, onReplace, onAction, onClose }: SharedMenuProps,
) {
  const { t } = useTranslation();
  const [entry, ...others] = entries;
  if (!entry) return null;
  const isOne = others.length === 0;
  const title = isOne ? entry.name : t("files.selected", { count: entries.length });
  const label = isOne ? t("files.actionsOf", { name: entry.name }) : t("files.actionsOfSelection");
  return (
    <Menu id="shared-menu" label={label} title={title} at={at} onClose={onClose}>
      <MenuItem glyph={Download} onClick={() => onDownload(entries)}>
        {t("commands.download")}
      </MenuItem>
      {isOne && !entry.isDir && (
        <MenuItem glyph={Replace} onClick={() => onReplace(entry)}>{t("share.replace")}</MenuItem>
      )}
      {isOne && (
        <MenuItem glyph={Pencil} onClick={() => onAction("rename", entries)}>
          {t("commands.rename")}
        </MenuItem>
      )}
      <MenuItem glyph={FolderInput} onClick={() => onAction("move", entries)}>
        {t("commands.moveTo")}
      </MenuItem>
      <MenuItem glyph={Trash2} danger onClick={() => onAction("delete", entries)}>
        {t("commands.delete")}
      </MenuItem>
    </Menu>
  );
}

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
function MoveSharedPrompt(
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
