/** Programs that tests need and that Debian has. */

/**
 * Installs Debian packages, where that is possible: on Debian or a derivative, as root.
 *
 * @param advice what to say when it is not
 * @throws Error that says in one line what to install
 */
export async function installPackages(packages: string[], advice: string): Promise<void> {
  if (!isDebian() || Deno.uid() !== 0) throw new Error(advice);
  // apt-get fails while another one runs: tests of two files may both miss something.
  using lock = await Deno.open("/run/lock/cubby-tests", { create: true, write: true });
  await lock.lock(true);
  console.log(`Installing what is missing: ${packages.join(" ")}`);
  await apt("update");
  await apt("install", "-y", "--no-install-recommends", ...packages);

  async function apt(...args: string[]): Promise<void> {
    const { success } = await new Deno.Command("apt-get", {
      args: ["-q", ...args],
      // At this run level services are not started as they are installed.
      env: { DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" },
      stdin: "null",
      stdout: "inherit",
      stderr: "inherit",
    }).output();
    if (!success) throw new Error(`${advice}; apt-get ${args[0]} failed`);
  }
}

/**
 * Sees to it that programs are there, and installs their Debian packages where that is possible.
 *
 * @param packageOf the package of each program
 * @param what the tests that need them
 * @throws Error that says in one line what to install
 */
export async function ensurePrograms(
  packageOf: Readonly<Record<string, string>>,
  what: string,
): Promise<void> {
  const missing = Object.entries(packageOf).filter(([program]) => !isThere(program));
  if (missing.length === 0) return;
  const packages = missing.map(([, name]) => name);
  const advice = `install ${packages.join(", ")} (on Debian: apt-get install ${
    packages.join(" ")
  })`;
  await installPackages(packages, `Cannot run the tests of ${what}: ${advice}`);
}

function isThere(program: string): boolean {
  const folders = (Deno.env.get("PATH") ?? "").split(":");
  return folders.some((folder) => {
    try {
      return Deno.statSync(`${folder}/${program}`).isFile;
    } catch {
      return false;
    }
  });
}

function isDebian(): boolean {
  try {
    return Deno.statSync("/etc/debian_version").isFile;
  } catch {
    return false;
  }
}
