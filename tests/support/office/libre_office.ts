/** LibreOffice from Debian as the editor that really changes documents. */
import { temporaryFolder } from "../disks/files.ts";
import { installPackages } from "../run/debian.ts";

const script = new URL("libre_office.py", import.meta.url).pathname;

/** Debian's Python, which has the module of Debian's LibreOffice. */
const python = "/usr/bin/python3";

const packages = [
  ...["libreoffice-writer-nogui", "libreoffice-calc-nogui", "libreoffice-impress-nogui"],
  "python3-uno",
];

/** A part of LibreOffice that each of {@linkcode packages} has. */
const parts = ["program/libswlo.so", "program/libsclo.so", "program/libsdlo.so"];

/** Sees to it that LibreOffice is there. @param what the tests that need it */
export async function ensureLibreOffice(what: string): Promise<void> {
  if (await hasLibreOffice()) return;
  const advice = `install ${packages.join(", ")}`;
  await installPackages(packages, `Cannot run the tests of ${what}: ${advice}`);
}

async function hasLibreOffice(): Promise<boolean> {
  try {
    for (const part of parts) Deno.statSync(`/usr/lib/libreoffice/${part}`);
    const python3 = new Deno.Command(python, { args: ["-c", "import uno"], stderr: "null" });
    return (await python3.output()).success;
  } catch {
    return false;
  }
}

/** A LibreOffice that runs without windows. */
export interface LibreOffice extends AsyncDisposable {
  /** Makes a document of the kind that its extension names, with a text in it. */
  make(path: string, text: string): Promise<string[]>;
  /** Adds a text to a document and saves it in its format. @returns all of its texts */
  change(path: string, text: string): Promise<string[]>;
  /** The texts of a document. */
  read(path: string): Promise<string[]>;
}

/** Starts LibreOffice, with settings of its own. */
export async function startLibreOffice(): Promise<LibreOffice> {
  const folder = await temporaryFolder();
  const child = new Deno.Command(python, {
    args: [script, folder.path],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = child.stdin.getWriter();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";

  async function line(): Promise<string> {
    while (!rest.includes("\n")) {
      const { value, done } = await reader.read();
      if (done) throw new Error("LibreOffice has ended");
      rest += value;
    }
    const end = rest.indexOf("\n");
    const first = rest.slice(0, end);
    rest = rest.slice(end + 1);
    return first;
  }

  async function ask(command: Record<string, string>): Promise<string[]> {
    await writer.write(new TextEncoder().encode(JSON.stringify(command) + "\n"));
    const { texts, error } = JSON.parse(await line());
    if (error === undefined) return texts;
    throw new Error(`LibreOffice cannot ${command["do"]} ${command["path"]}: ${error}`);
  }

  return {
    make: (path, text) => ask({ do: "make", path, text }),
    change: (path, text) => ask({ do: "change", path, text }),
    read: (path) => ask({ do: "read", path }),
    async [Symbol.asyncDispose]() {
      await writer.close();
      await reader.cancel();
      await child.status;
      await folder[Symbol.asyncDispose]();
    },
  };
}
