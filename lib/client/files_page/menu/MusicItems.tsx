import { ListPlus, Play } from "lucide";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Entry } from "../../../shared/api_types.ts";
import { parsePath } from "../../../shared/path.ts";
import type { Api } from "../../base/api/api.ts";
import { type MusicRequest, useMusicRequests } from "../../base/core/use_panels.ts";
import { useApi, useMay } from "../../base/core/use_site.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { MenuItem } from "../../../../components/Menu.tsx";

/** Menu items to play the selection, if it is of sounds and folders alone. */
export function MusicItems() {
  const may = useMay();
  const { listing: { selection, rows } } = useFiles();
  const { size } = selection.now.value;
  const entries = rows.value.withNames(new Set(selection.snapshot().names));
  const isMusic = entries.every(({ type, isDir }) => type === "audio" || isDir);
  if (!may("download") || size === 0 || entries.length < size || !isMusic) return null;
  return <PlayItems key={entries.map(({ path }) => path).join("\n")} entries={entries} />;
}

/** Disabled rather than left out in folders without sounds: no item moves while one aims at it. */
function PlayItems({ entries }: { entries: readonly Entry[] }) {
  const { t } = useTranslation();
  const api = useApi();
  const requests = useMusicRequests();
  const [hasMusic, setMusic] = useState(entries.some(({ isDir }) => !isDir));
  useEffect(() => {
    if (hasMusic) return;
    const asking = new AbortController();
    const { signal } = asking;
    void holdMusic(api, entries, signal).then((found) => signal.aborted || setMusic(found));
    return () => asking.abort();
  }, []);
  const ask = (does: MusicRequest["does"]) => () => {
    requests.value = [...requests.peek(), { does, entries }];
  };
  return (
    <>
      <MenuItem glyph={Play} disabled={!hasMusic} onClick={ask("play")}>
        {t("commands.play")}
      </MenuItem>
      <MenuItem glyph={ListPlus} disabled={!hasMusic} onClick={ask("add")}>
        {t("commands.enqueue")}
      </MenuItem>
    </>
  );
}

/** Whether a sound is in one of some folders; those below them do not count, as when they play. */
async function holdMusic(
  api: Pick<Api, "resource">,
  folders: readonly Entry[],
  signal: AbortSignal,
): Promise<boolean> {
  for (const folder of folders) {
    if (signal.aborted) return false;
    const { path } = parsePath(folder.path);
    const answer = await api.resource(path, { offset: 0, limit: 0, groupBy: "kind", signal });
    // A folder that cannot be read says why when it is played.
    if (!answer.ok || answer.value.groups?.some(({ name }) => name === "audio")) return true;
  }
  return false;
}
