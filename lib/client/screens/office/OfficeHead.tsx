import { ArrowLeft, Users } from "lucide";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { displayName } from "../../../shared/entry_names.ts";
import { nameOf, parentOf, parsePath, ROOT } from "../../../shared/path.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { usePage } from "../../base/core/page.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { EntryName } from "../../files_page/listing/EntryRow.tsx";
import { GLYPHS, useCommands, useCommandWords } from "../../files_page/menu/commands.ts";
import type { Person } from "./office_bridge.ts";
import type { OfficeSession } from "./office_session.ts";

/** The commands with a button: what else is done to a file would take it away from its editor. */
const ACTS = ["share", "download", "info"] as const;

/** The characters of a name that are nearly always in view beside the buttons. */
const NAME_ROOM = 24;

interface OfficeHeadProps {
  entry: Entry;
  /** The open document; absent in the picture of a head that the server draws. */
  session?: OfficeSession;
  onClose?: () => void;
}

/** The line above a document in the office server, as above every open file. */
export function OfficeHead({ entry, session, onClose }: OfficeHeadProps) {
  const { t } = useTranslation();
  const { share } = usePage().data;
  const { navigation } = useFiles();
  const commands = useCommands(entry);
  const words = useCommandWords();
  const bridge = session?.bridge.value;
  const { path } = parsePath(entry.path);
  const folder = parentOf(path);
  const folderName = displayName(nameOf(folder)) || (share?.name ?? t("files.myFiles"));
  const act = async (name: typeof ACTS[number]) => {
    // What is on the disk is downloaded.
    if (name === "download") await bridge?.save();
    commands[name]?.();
  };
  return (
    <header className="viewer__head">
      <IconButton
        label={t(path === ROOT ? "buttons.close" : "preview.close")}
        glyph={ArrowLeft}
        mirror
        onClick={onClose}
      />
      <div className="viewer__about">
        <h1 className="viewer__name" title={displayName(entry.name)} dir="auto">
          <EntryName name={displayName(entry.name)} room={NAME_ROOM} />
        </h1>
        <p className="viewer__size">
          {path !== ROOT && (
            <a
              className="viewer__folder"
              href={navigation.href(folder)}
              dir="auto"
              onClick={(event) => {
                event.preventDefault();
                onClose?.();
              }}
            >
              {folderName}
            </a>
          )}
          {session && <SaveState session={session} />}
          {share?.owner && (
            <span className="viewer__owner">{t("share.by", { name: share.owner })}</span>
          )}
        </p>
      </div>
      <div className="viewer__acts">
        {bridge && <People people={bridge.people.value} />}
        {ACTS.filter((name) => commands[name]).map((name) => (
          <Button
            key={name}
            variant="quiet"
            className="viewer__act"
            title={words[name]}
            glyph={GLYPHS[name]}
            data-command={name}
            onClick={() => void act(name)}
          >
            {words[name]}
          </Button>
        ))}
      </div>
    </header>
  );
}

/** Whether all is saved, as far as the editor tells; nothing before. */
function SaveState({ session }: { session: OfficeSession }) {
  const { t } = useTranslation();
  const right = session.opened.value?.right;
  const bridge = session.bridge.value;
  if (right === "view") return <span>{t("editor.readOnly")}</span>;
  if (!bridge || bridge.stage.value !== "loaded") return null;
  const state = bridge.saving.value ? "saving" : bridge.modified.value ? "unsaved" : "saved";
  return <span data-state={state}>{t(`editor.state.${state}`)}</span>;
}

/** The names that have room; the others are counted. */
const NAMED = 3;

/** Who has the document open, where that is more than one. */
function People({ people }: { people: readonly Person[] }) {
  const { t } = useTranslation();
  if (people.length < 2) return null;
  const names = people.map(({ name }) => name).join(", ");
  const more = people.length - NAMED;
  return (
    <div
      className="office__people"
      role="img"
      aria-label={t("office.people", { names })}
      title={names}
    >
      <Icon glyph={Users} />
      <span className="office__count">{people.length}</span>
      {people.slice(0, NAMED).map(({ id, name }) => (
        <span key={id} className="office__person" aria-hidden="true">{initialOf(name)}</span>
      ))}
      {more > 0 && <span className="office__person" aria-hidden="true">+{more}</span>}
    </div>
  );
}

function initialOf(name: string): string {
  const [first = ""] = name;
  return first.toLocaleUpperCase();
}
