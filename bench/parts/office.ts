import { editorsOf, startOfficeServer } from "../../tests/support/office/office_server.ts";
import { startServer } from "../../tests/support/server/server.ts";
import { race, secondsOf } from "../race.ts";
import { signIn } from "../set_up.ts";
import { atMost, duration, type Row, table } from "../table.ts";

/** Bytes of a document. */
const size = 10 * 2 ** 20;

/** The address of the server for the office server. */
const origin = "http://cubby.test";

/**
 * A save of 10 MiB by an office server, which signs its requests (WOPI PutFile), and one of the same
 * bytes by a page (PUT), in turns: both are synced, and keep what they replace as a version.
 */
export async function measureOffice(isQuick: boolean): Promise<void> {
  await using office = await startOfficeServer();
  await using server = await startServer({
    flags: [`--office-url=${office.url}`, `--office-host-url=${origin}`],
  });
  const body = crypto.getRandomValues(new Uint8Array(64 * 1024));
  const content = new Blob(Array.from({ length: size / body.length }, () => body));
  for (const name of ["page.odt", "office.odt"]) {
    await Deno.writeFile(`${server.root}/${name}`, content.stream());
  }
  const token = await signIn(server);
  const call = (method: string, path: string, options: RequestInit & { token?: string } = {}) =>
    fetch(server.url + path, {
      method,
      body: options.body,
      headers: { ...options.token && { "x-auth": options.token }, ...options.headers },
    });
  const editor = await editorsOf({ call }, office).open("/office.odt", token);
  await done(await editor.operate("LOCK", { lock: "L" }));
  await done(await editor.read());
  const { path, token: accessToken } = editor;
  const address = `${origin}${path}/contents?access_token=${encodeURIComponent(accessToken)}`;
  const rounds = isQuick ? 2 : 60;
  const [page = NaN, wopi = NaN] = await race([
    {
      name: "PUT",
      run: () =>
        secondsOf(async () =>
          await done(await call("PUT", "/api/resources/page.odt", { token, body: content }))
        ),
    },
    {
      name: "PutFile",
      async run() {
        // Two signatures of 2048 bits are the office server's own work, before it sends anything.
        const proof = await office.proofOf(accessToken, address);
        const save = () => editor.save(content, { lock: "L", proof });
        return await secondsOf(async () => await done(await save()));
      },
    },
  ], rounds);
  const row: Row = {
    what: "save of 10 MiB by an office server (WOPI)",
    cubby: duration(wopi),
    against: `PUT by a page ${duration(page)}`,
    ratio: wopi / page,
    target: atMost(wopi / page, 1.2, "1.2x"),
  };
  console.log(table([row]));
}

async function done(answer: Response): Promise<void> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text}`);
}
