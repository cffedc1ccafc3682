/** The sync clients of Nextcloud and ownCloud for the command line, from Debian. */
import { join } from "node:path";
import { ensurePrograms } from "../run/debian.ts";

/** The programs. */
export const syncClients = ["nextcloudcmd", "owncloudcmd"] as const;

/** One of {@linkcode syncClients}. */
export type SyncClient = typeof syncClients[number];

/** Time after which a client is ended, in milliseconds: it waits for an answer that nobody gives. */
const maxMs = 120_000;

/** Sees to it that the programs are there. @param what the tests that need them */
export async function ensureSyncClients(what: string): Promise<void> {
  await ensurePrograms(
    { nextcloudcmd: "nextcloud-desktop-cmd", owncloudcmd: "owncloud-client-cmd" },
    what,
  );
}

/** Who syncs what with which server. */
export interface SyncRun {
  url: string;
  user: string;
  password: string;
  /** The folder that is kept in step. */
  folder: string;
  /** The client's own folder, for its settings. */
  home: string;
}

/**
 * Runs a client once.
 *
 * @returns what it prints
 */
export async function runSyncClient(
  client: SyncClient,
  { url, user, password, folder, home }: SyncRun,
): Promise<string> {
  const excluded = join(home, ".excluded");
  await Deno.writeTextFile(excluded, "");
  const flags = ["--non-interactive", "--exclude", excluded, "-u", user, "-p", password];
  const command = new Deno.Command(client, {
    args: [...flags, folder, url],
    env: { HOME: home, QT_QPA_PLATFORM: "offscreen" },
    stdin: "null",
    signal: AbortSignal.timeout(maxMs),
  });
  const { stdout, stderr } = await command.output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}
