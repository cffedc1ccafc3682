import { type Domain, right } from "./landlock.ts";
import { devices, programFolders, programSettings, temporaryFolders } from "./program_paths.ts";

const read = right.readFile | right.readFolder;
const write = right.writeFile | right.truncate | right.removeFile | right.removeFolder |
  right.makeFile | right.makeFolder | right.makeLink | right.makePipe | right.makeSocket |
  right.moveBetweenFolders;

/**
 * The Landlock domain of one command: it writes to its user's scope and its own temporary folders,
 * reads these and the system's programs, mounts nothing, connects nowhere and sends no signal to
 * anything outside.
 */
export function commandDomain(scope: string | null): Domain {
  const named = (paths: readonly string[], rights: bigint) =>
    paths.map((path) => ({ path, rights }));
  return {
    paths: [
      ...named(programFolders, read | right.execute),
      ...named([...programSettings, "/proc"], read),
      ...named(devices, right.readFile | right.writeFile | right.truncate),
      ...named(
        [...scope === null ? [] : [scope], ...temporaryFolders],
        read | write | right.execute,
      ),
    ],
    listenPorts: [],
    connectPorts: [],
  };
}
