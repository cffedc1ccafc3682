/** 7-Zip as WebAssembly, in a Worker: the one library that reads 7z and RAR with all names in them. */
import library, { type SevenZipModuleFactory } from "7z-wasm";
import { joined } from "../../../../../shared/joined.ts";
import { readPackageFile } from "../../../../core/config/program_files.ts";
import { serveWorker } from "../../../../core/concurrency/serve_worker.ts";

/** How a run of the program has ended, and what it has printed. */
interface Run {
  /** 0 for success, 1 for warnings; null when it broke off. */
  code: number | null;
  printed: Uint8Array<ArrayBuffer>;
}

/** An archive, and how many bytes the program may print. */
export interface RunOrder {
  archive: Uint8Array<ArrayBuffer>;
  maxBytes: number;
}

/** A stream of the library's file system, of which one function is replaced. */
interface StandardOutput {
  stream_ops: {
    write(stream: unknown, from: Int8Array, offset: number, length: number): number;
  };
}

/** Its types do not say that it is a CommonJS module. */
const startSevenZip = library as unknown as SevenZipModuleFactory;

const wasm = import.meta.resolve("7z-wasm/7zz.wasm");

const work = {
  /** Lists an archive, with all that is known of each entry. */
  list: (order: RunOrder) => run(order, ["l", "-slt", "-sccUTF-8"]),
  /** Prints the content of all files, one after the other, in the order of the list. */
  unpack: (order: RunOrder) => run(order, ["x", "-so", "-bd"]),
};

/** The functions of this worker. */
export type Library = typeof work;

serveWorker(work);

/** Runs the program on an archive; without a password, which it would ask for. */
async function run({ archive, maxBytes }: RunOrder, words: readonly string[]): Promise<Run> {
  const { buffer } = await readPackageFile(wasm);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const program = await startSevenZip({
    wasmBinary: buffer,
    printErr() {},
    stdin: () => null as unknown as number,
  });
  const { streams } = program.FS as unknown as { streams: StandardOutput[] };
  const [, output] = streams;
  if (!output) throw new Error("Cannot run 7-Zip: it has no standard output");
  output.stream_ops = {
    ...output.stream_ops,
    write(_stream, from, offset, count) {
      length += count;
      if (length > maxBytes) throw new Error("Cannot run 7-Zip: it prints too much");
      parts.push(Uint8Array.from(from.subarray(offset, offset + count)));
      return count;
    },
  };
  program.FS.writeFile("/archive", archive);
  const code = attempt(() => program.callMain([...words, "-pnone", "--", "/archive"]));
  return { code, printed: joined(parts) };
}

/** The program may end itself by an exception. */
function attempt(main: () => unknown): number | null {
  try {
    const code = main();
    return typeof code === "number" ? code : null;
  } catch {
    return null;
  }
}
