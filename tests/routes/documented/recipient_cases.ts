import { asking, type Case, type Scene } from "./case.ts";

const type = "application/offset+octet-stream";

/** The calls about recipients of shares, and those by which they add files. */
export async function recipientCases(scene: Scene): Promise<Case[]> {
  const { app } = scene;
  const boss = await app.addUser("recipients' boss", { perm: { admin: true } });
  const asker = await app.addUser("busy asker", { perm: { admin: true } });
  /** Just before the call: the lookups of a minute are counted. */
  const exhausted = async () => {
    const find = () => app.cubby.nameLookups.find(asker.user, "nobody");
    while (await find().then(() => true, () => false));
    return { token: asker.token };
  };
  const owner = await app.addUser("recipients' owner", { scope: "/photos", quota: { bytes: 1e6 } });
  const friend = await app.addUser("adding friend");
  const whole = { userId: owner.user.id, path: "/photos", place: "/photos" } as Parameters<
    typeof app.cubby.shares.create
  >[0];
  const audience = {
    users: [friend.user.id],
    groups: [],
    rights: { [`user ${friend.user.id}`]: "upload" as const },
  };
  const draft = { password: "", seconds: 0, terms: { audience } };
  const open = await app.cubby.shares.create(whole, draft);
  const closed = await app.cubby.shares.create(whole, { ...draft, password: "open sesame" });
  const { token } = friend;
  const guess = { token, headers: { "x-share-password": "wrong" }, from: "192.0.2.11" };
  for (let time = 0; time < 5; time++) {
    const answer = await app.call("GET", `/api/public/share/${closed.hash}`, guess);
    await answer.body?.cancel();
  }
  const beginning = (length: number, more: Record<string, string> = {}, name = "added.txt") => ({
    token,
    headers: {
      "upload-length": `${length}`,
      "upload-metadata": `filename ${btoa(name)}`,
      ...more,
    },
  });
  const begin = await app.call("POST", `/api/public/tus/${open.hash}`, beginning(6));
  const [, begun = ""] = begin.headers.get("location")?.split("/api/public/tus/") ?? [];
  const other = { token, headers: { "tus-resumable": "0.2.2" } };
  return [...finding(), ...adding()];

  function finding(): Case[] {
    const find = asking("findRecipients", "/api/recipients", scene);
    return [
      find("429 throttled", "?query=nobody", exhausted),
      find("200 application/json", "?query=adding", { token: boss.token }),
    ];
  }

  function adding(): Case[] {
    const start = asking("beginAdded", "/api/public/tus/", scene);
    const state = asking("addedState", "/api/public/tus/", scene);
    const go = asking("continueAdded", "/api/public/tus/", scene);
    const drop = asking("dropAdded", "/api/public/tus/", scene);
    const bytes = (offset: number, more: Record<string, string> = {}, body = "abc") => ({
      token,
      headers: { "upload-offset": `${offset}`, "content-type": type, ...more },
      body,
    });
    const refused = [start, state, go, drop].flatMap((ask) => [
      ask("400 invalid_path", "%zz", { token }),
      ask("401 password_required", closed.hash, { token }),
      ask("404 not_found", "none", { token }),
      ask("412 precondition_failed", begun, other),
      ask("429 throttled", closed.hash, guess),
    ]);
    return [
      ...refused,
      start("400 invalid_option", open.hash, { token }),
      start("400 invalid_name", open.hash, beginning(3, {}, "..")),
      start("413 body_too_large", open.hash, {
        ...beginning(3, { "content-type": type }),
        body: "1234",
      }),
      start("415 wrong_content_type", open.hash, {
        ...beginning(3, { "content-type": `${type}x` }),
        body: "123",
      }),
      start("507 over_quota", open.hash, beginning(1e7)),
      start("201", open.hash, beginning(0)),
      state("200", begun, { token }),
      go("400 invalid_option", begun, bytes(NaN)),
      go("409 wrong_offset", begun, bytes(2)),
      go("413 body_too_large", begun, bytes(0, {}, "1234567")),
      go("415 wrong_content_type", begun, bytes(0, { "content-type": "text/plain" })),
      go("204", begun, bytes(0)),
      drop("204", begun, { token }),
    ];
  }
}
