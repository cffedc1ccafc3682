import { join } from "node:path";
import { curl, run, runQuietly } from "../commands.ts";
import { type Contender, race, secondsOf } from "../race.ts";
import { bigFile, type Setup, type Target } from "../set_up.ts";
import { atMost, duration, type Row } from "../table.ts";

/**
 * One big file sent by curl. We sync a file before it takes its name, nginx does not: so nginx is
 * measured as it comes, and followed by a sync of the file; so is a pipe into `dd conv=fsync`.
 */
export async function measureUpload(setup: Setup): Promise<Row[]> {
  const { root, one, many, nginx, rounds, bigSize } = setup;
  const source = join(root, bigFile);
  const put = (url: string) => curl(url, "--header", "Expect:", "--upload-file", source);
  const theirs: Contender[] = [{
    name: "a pipe into `dd conv=fsync`",
    run: () => secondsOf(() => pipeToDisk(source, join(root, "uploads", "dd.bin"))),
  }];
  if (nginx) {
    const target = join(root, "uploads", "nginx.bin");
    theirs.unshift(
      { name: "nginx", run: () => put(`${nginx.url}/uploads/nginx.bin`) },
      {
        name: "nginx, then `sync`",
        run: async () =>
          await put(`${nginx.url}/uploads/nginx.bin`) +
          await secondsOf(() => run("sync", target)),
      },
    );
  }
  const ours = [one, many].map((target) => ({
    name: target.name,
    run: () => send(target, source),
  }));
  const settled = [...ours, ...theirs].map((contender) => ({ ...contender, run: calm(contender) }));
  const results = await race(settled, rounds);
  return theirs.flatMap((contender, row) => {
    const baseline = results[ours.length + row] ?? NaN;
    const against = `${contender.name} ${duration(baseline)}`;
    return ours.map(({ name }, index) => {
      const result = results[index] ?? NaN;
      const ratio = result / baseline;
      return {
        what: `upload of ${bigSize / 2 ** 20} MiB, ${name}`,
        cubby: duration(result),
        against,
        ratio,
        target: index === 0 ? atMost(ratio, 1.2, "1.2x") : undefined,
      };
    });
  });
}

/** Writes back what the run before left in memory, so that no one pays for another. */
function calm({ run: work }: Contender): () => Promise<number> {
  return async () => {
    await runQuietly("sync");
    return await work();
  };
}

function send({ server, token }: Target, source: string): Promise<number> {
  const url = `${server.url}/api/resources/uploads/cubby.bin?override=true`;
  const headers = ["--header", `X-Auth: ${token}`, "--header", "Expect:"];
  return curl(url, ...headers, "--request", "POST", "--upload-file", source);
}

async function pipeToDisk(source: string, target: string): Promise<void> {
  const script = 'cat "$0" | dd of="$1" bs=1M iflag=fullblock conv=fsync status=none';
  await runQuietly("sh", "-c", script, source, target);
}
