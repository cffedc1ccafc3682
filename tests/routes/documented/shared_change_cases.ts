import { join } from "node:path";
import type { CallOptions, TestApp } from "../../support/server/app.ts";
import { type Ask, asking, type Case, type Scene } from "./case.ts";

const longName = `/${"n".repeat(300)}`;

/** The calls by which recipients change what is shared with them. */
export async function sharedChangeCases(scene: Scene): Promise<Case[]> {
  const { app, hooking } = scene;
  const { token, open, closed, home } = await sharing(app);
  const hooked = await sharing(hooking);
  const guess = { token, headers: { "x-share-password": "wrong" }, from: "192.0.2.12" };
  for (let time = 0; time < 5; time++) {
    const answer = await app.call("GET", `/api/public/share/${closed}`, guess);
    await answer.body?.cancel();
  }
  await new Deno.Command("mkfifo", { args: [join(home, "pipe")] }).output();
  const discarded = async (path: string) => {
    const answer = await app.call("DELETE", `/api/public/share/${open}${path}`, { token });
    await answer.body?.cancel();
    return answer.headers.get("content-location")?.split("/api/public/trash/")[1] ?? "";
  };
  const back = await discarded("/back.txt");
  const blocked = await discarded("/blocked/below.txt");
  Deno.removeSync(join(home, "blocked"));
  Deno.writeTextFileSync(join(home, "blocked"), "a file");

  const by = (carried: CallOptions = {}): CallOptions => ({ token, ...carried });
  const ours = { token: hooked.token };
  const [make, save, move, remove] = [
    "makeSharedFolder",
    "saveShared",
    "moveShared",
    "removeShared",
  ]
    .map((id) => asking(id, "/api/public/share/", scene)) as [Ask, Ask, Ask, Ask];
  const restore = asking("restoreShared", "/api/public/trash/", scene);
  const to = "?action=rename&destination=";
  return [
    ...[make, save, move, remove, restore].flatMap((ask) => [
      ask("400 invalid_path", "%zz", by()),
      ask("401 password_required", closed, by()),
      ask("404 not_found", "none", by()),
      ask("429 throttled", closed, guess),
    ]),
    make("400 invalid_name", `${open}${longName}`, by()),
    make("409 exists", `${open}/a.txt/`, by()),
    make("200 text/plain", `${open}/made/here/`, by()),
    save("400 invalid_name", `${open}${longName}`, by({ body: "" })),
    save("400 invalid_body", `${open}/a.txt`, {
      ...by({ headers: { "content-length": "99" } }),
      body: "short",
    }),
    save("400 invalid_option", `${open}/a.txt?encoding=klingon`, by({ body: "new" })),
    save("403 not_a_file", `${open}/pipe`, by({ body: "new" })),
    save("409 is_folder", `${open}/sub`, by({ body: "new" })),
    save(
      "412 precondition_failed",
      `${open}/a.txt`,
      by({ headers: { "if-match": '"other"' }, body: "new" }),
    ),
    save("403 hook_failed", `${hooked.open}/a.txt`, { ...ours, body: "new" }, hooking),
    save("200 text/plain", `${open}/a.txt`, by({ body: "new" })),
    move("400 invalid_name", `${open}/a.txt${to}${longName}`, by()),
    move("400 invalid_option", `${open}/a.txt?action=copy&destination=/b.txt`, by()),
    move("409 exists", `${open}/a.txt${to}/b.txt`, by()),
    move("403 hook_failed", `${hooked.open}/a.txt${to}/c.txt`, ours, hooking),
    move("200 text/plain", `${open}/a.txt${to}/b.txt&override=true`, by()),
    restore("409 exists", blocked, by()),
    restore("200 text/plain", back, by()),
    remove("403 hook_failed", `${hooked.open}/a.txt`, ours, hooking),
    remove("200 text/plain", `${open}/sub`, by()),
  ];
}

/** A folder of an owner's, shared with one who may edit: openly, and with a password. */
async function sharing(app: TestApp) {
  const owner = await app.addUser("owner of what is edited", { scope: "/edited" });
  const { user: { id }, token } = await app.addUser("editor");
  const home = join(app.root, "edited");
  for (const folder of ["sub", "blocked"]) {
    Deno.mkdirSync(join(home, folder), { recursive: true });
  }
  for (const name of ["a.txt", "b.txt", "back.txt", "blocked/below.txt"]) {
    Deno.writeTextFileSync(join(home, name), name);
  }
  const whole = { userId: owner.user.id, path: "/edited", place: "/edited" } as Parameters<
    typeof app.cubby.shares.create
  >[0];
  const audience = { users: [id], groups: [], rights: { [`user ${id}`]: "edit" as const } };
  const draft = { password: "", seconds: 0, terms: { audience } };
  const open = await app.cubby.shares.create(whole, draft);
  const closed = await app.cubby.shares.create(whole, { ...draft, password: "open sesame" });
  return { token, home, open: open.hash, closed: closed.hash };
}
