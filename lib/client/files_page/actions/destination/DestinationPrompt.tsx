import { FolderPlus } from "lucide";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  childOf,
  type EntryPath,
  isInside,
  nameOf,
  parentOf,
  ROOT,
} from "../../../../shared/path.ts";
import { displayName } from "../../../../shared/entry_names.ts";
import { usePage } from "../../../base/core/page.ts";
import { useRootAccess } from "../../../base/core/root_access.ts";
import { FolderTree } from "./folder_tree.ts";
import { RecentTargets } from "../last_choices.ts";
import { reasonOf } from "../../../base/api/reasons.ts";
import { formatList, formatNumber } from "../../../base/core/format.ts";
import { lazy } from "../../../base/core/lazy.ts";
import { useApi, useLazy } from "../../../base/core/use_site.ts";
import { Button } from "../../../../../components/Button.tsx";
import { FolderTreeView } from "./FolderTreeView.tsx";
import { Prompt } from "../../../../../components/Prompt.tsx";
import type { PromptBodyProps } from "../../../base/prompts/prompts.ts";
import { cleanName, nameFault } from "../../../base/core/names.ts";
import { TextField } from "../../../../../components/Fields.tsx";

const folderSearch = lazy(() => import("../../../screens/search/FolderSearch.tsx"));

/** Asks for the destination of a copy or move; a folder can be created there. */
export function DestinationPrompt({ input, onAnswer, onClose }: PromptBodyProps<"destination">) {
  const { t } = useTranslation();
  const api = useApi();
  const { user } = usePage().data;
  const { action, paths, start, mayCreate, names = [] } = input;
  const rootAccess = useRootAccess();
  const tree = useMemo(() => new FolderTree(api, start), []);
  const [naming, setNaming] = useState(false);
  const [error, setError] = useState<string>();
  const finder = useLazy(folderSearch, true);
  const [isSearching, setSearching] = useState(false);
  const targets = useMemo(() => new RecentTargets(user?.id), []);
  const recent = useRecent(targets);
  useEffect(() => void tree.start(), [tree]);

  const to = tree.chosen.value;
  const name = nameOf(to) || t("files.myFiles");
  const inside = paths.some((path) => isInside(to, path));
  const stays = action === "move" && paths.every((path) => parentOf(path) === to);
  const [only, ...others] = paths;
  const isOne = only !== undefined && others.length === 0;
  const title = action === "upload"
    ? t("offline.whereTo")
    : action === "choose"
    ? t("prompts.choose")
    : isOne || action === "extract"
    ? t(`prompts.${action}One`, { name: nameOf(only ?? ROOT) })
    : t(`prompts.${action}Many`, { count: paths.length });

  const takes = rootAccess.canAddTo(to);
  const isRefused = (path: EntryPath) => paths.some((one) => isInside(path, one));
  const isClosed = (path: EntryPath) => action !== "choose" && !rootAccess.canAddTo(path);
  const cannotTake = (path: EntryPath) => isRefused(path) || isClosed(path);
  const pick = (path: EntryPath) => {
    // The row of the tree takes the focus.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    void tree.reveal(path, true);
  };
  const make = async (folder: EntryPath, typed: string) => {
    const made = await api.makeFolder(childOf(folder, typed));
    if (!made.ok) {
      return setError(t("failures.newFolder", { name: typed, reason: reasonOf(t, made) }));
    }
    setError(undefined);
    setNaming(false);
    await tree.add(folder, typed);
  };

  return (
    <Prompt
      title={title}
      text={names.length > 0 && <SomeNames names={names} />}
      error={error}
      act={t(`buttons.${action}`)}
      incomplete={inside || stays || isClosed(to) || naming || isSearching}
      onAct={() => {
        if (action !== "choose") targets.remember(to);
        onAnswer(to);
      }}
      onClose={onClose}
      tall
      more={mayCreate && takes && !naming && (
        <Button
          className="prompt__aside"
          glyph={FolderPlus}
          onClick={() => setNaming(true)}
        >
          {t("buttons.newFolder")}
        </Button>
      )}
    >
      {finder
        ? <finder.FolderSearch onSearching={setSearching} onPick={pick} isRefused={cannotTake} />
        // Its room: nothing moves below the hand when it comes.
        : <div className="field__input" />}
      {!isSearching && (
        <>
          <RecentFolders
            folders={recent.filter((path) => path !== start && !cannotTake(path))}
            onPick={pick}
          />
          <FolderTreeView tree={tree} isRefused={cannotTake} />
        </>
      )}
      {naming
        ? (
          <NewFolderField
            parent={name}
            onChange={() => setError(undefined)}
            onMake={(typed) => void make(to, typed)}
            onClose={() => {
              setError(undefined);
              setNaming(false);
            }}
          />
        )
        : (
          <p className="prompt__text" role="status">
            {isSearching
              ? ""
              : inside
              ? t("tree.inside")
              : isClosed(to)
              ? t(to === ROOT ? "tree.top" : "files.readOnly")
              : stays
              ? t("tree.same")
              : action === "choose"
              ? displayName(to)
              : t("tree.to", { name })}
          </p>
        )}
    </Prompt>
  );
}

/** The most names that are shown. */
const MOST_NAMES = 3;

/** The first of several names, and the number of the others. */
function SomeNames({ names }: { names: readonly string[] }) {
  const { language } = useTranslation().i18n;
  const shown = names.slice(0, MOST_NAMES).map((name) => displayName(name));
  const others = names.length - shown.length;
  if (others > 0) shown.push(`+${formatNumber(others, language)}`);
  return <span dir="auto">{formatList(shown, language)}</span>;
}

/** The remembered folders; those that are gone are among them until the server has told. */
function useRecent(targets: RecentTargets): readonly EntryPath[] {
  const api = useApi();
  const [recent, setRecent] = useState<readonly EntryPath[]>(() => targets.list());
  useEffect(() => {
    void Promise.all(recent.map((path) => api.exists(path))).then((answers) => {
      setRecent(recent.filter((_, index) => {
        const answer = answers[index];
        return answer?.ok && answer.value;
      }));
    });
  }, [targets]);
  return recent;
}

interface RecentFoldersProps {
  folders: readonly EntryPath[];
  onPick: (folder: EntryPath) => void;
}

/** The folders that entries went to before. */
function RecentFolders({ folders, onPick }: RecentFoldersProps) {
  const { t } = useTranslation();
  if (folders.length === 0) return null;
  return (
    <div className="recent" role="group" aria-label={t("tree.recent")}>
      <span className="recent__word" aria-hidden="true">{t("tree.recent")}</span>
      {folders.map((path) => (
        <button
          key={path}
          type="button"
          className="recent__folder"
          title={displayName(path)}
          onClick={() => onPick(path)}
        >
          <span dir="auto">{displayName(nameOf(path)) || t("files.myFiles")}</span>
        </button>
      ))}
    </div>
  );
}

interface NewFolderFieldProps {
  /** The parent of the new folder. */
  parent: string;
  /** Another name is typed: what was said of the last one no longer holds. */
  onChange: () => void;
  onMake: (name: string) => void;
  onClose: () => void;
}

/** Asks for the name of a new folder inside another prompt. Enter creates it; Esc cancels. */
function NewFolderField({ parent, onChange, onMake, onClose }: NewFolderFieldProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const name = cleanName(typed);
  const fault = nameFault(name);
  const make = () => fault === null && onMake(name);
  return (
    <div className="new-folder">
      <TextField
        name="new-folder"
        label={t("tree.newFolder", { name: parent })}
        value={typed}
        complaint={fault && typed !== "" ? t(`names.${fault}`) : undefined}
        verbatim
        autofocus
        inputRef={(input) => input?.focus()}
        onChange={(text) => {
          setTyped(text);
          onChange();
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation();
          if (event.key === "Enter") make();
          else onClose();
        }}
      />
      <Button disabled={fault !== null} onClick={make}>{t("buttons.create")}</Button>
    </div>
  );
}
