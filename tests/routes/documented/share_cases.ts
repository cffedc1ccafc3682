import { type Ask, asking, type Case, type Scene } from "./case.ts";
import { archived, downloads, streamed, subtitled } from "./content_cases.ts";

/** The calls about shares. */
export async function shareCases(scene: Scene): Promise<Case[]> {
  const { app } = scene;
  const { user, token } = await app.addUser("sharer");
  const draft = { password: "", seconds: 0 };
  const whole = { userId: user.id, path: "/", place: "/" } as Parameters<
    typeof app.cubby.shares.create
  >[0];
  const open = await app.cubby.shares.create(whole, draft);
  const ended = await app.cubby.shares.create(whole, draft);
  const closed = await app.cubby.shares.create(whole, { ...draft, password: "open sesame" });
  const named = await app.cubby.shares.create(whole, { ...draft, terms: { name: "documented" } });
  const friend = await app.addUser("friend");
  const audience = { users: [friend.user.id], groups: [] };
  await app.cubby.shares.create(whole, { ...draft, terms: { audience } });
  const document = await scene.editing.cubby.shares.create(
    { userId: 1, path: "/a.txt", place: "/a.txt" } as typeof whole,
    draft,
  );
  const guess = { headers: { "x-share-password": "wrong" }, token: "", from: "192.0.2.8" };
  for (let time = 0; time < 5; time++) {
    const answer = await app.call("GET", `/api/public/share/${closed.hash}`, guess);
    await answer.body?.cancel();
  }
  return [
    ...sharing(),
    ...visiting(),
    ...editing(),
    ...together(),
    ...fetching(),
    ...looking(),
    ...reading(),
  ];

  function sharing(): Case[] {
    const all = asking("listShares", "/api/shares", scene);
    const list = asking("listSharesOf", "/api/share", scene);
    const share = asking("share", "/api/share", scene);
    const change = asking("changeShare", "/api/share/", scene);
    const end = asking("endShare", "/api/share/", scene);
    const withMe = asking("listShared", "/api/shared", scene);
    return [
      withMe("200 application/json", ""),
      withMe("200 application/json", "", { token: friend.token }),
      all("200 application/json", "", { token }),
      list("400 invalid_path", "/%zz"),
      list("404 not_found", "/none"),
      list("400 invalid_option", "/?limit=x", { token }),
      all("400 invalid_option", "?limit=x", { token }),
      list("200 application/json", "/", { token }),
      share("400 invalid_body", "/a.txt?expires=soon"),
      share("400 invalid_path", "/%zz"),
      share("400 invalid_password", "/a.txt", { json: { password: "a".repeat(73) } }),
      share("404 not_found", "/none"),
      share("200 application/json", "/a.txt", { json: { expires: "2", unit: "days" } }),
      share("400 invalid_body", "/a.txt", { json: { audience: ["nobody here"] } }),
      share("200 application/json", "/a.txt", { json: { audience: ["friend"] } }),
      share("409 exists", "/a.txt", { json: { name: "documented" } }),
      change("400 invalid_body", open.hash, { json: { downloadLimit: -1 } }),
      change("400 invalid_path", "%zz", { json: {} }),
      change("400 invalid_password", open.hash, { json: { password: "a".repeat(73) } }),
      change("404 not_found", "none", { json: {} }),
      change("409 exists", open.hash, { json: { name: "documented" } }),
      change("200 application/json", named.hash, { token, json: { viewOnly: true } }),
      end("400 invalid_path", "%zz"),
      end("404 not_found", "none"),
      end("200 text/plain", ended.hash, { token }),
    ];
  }

  function visiting(): Case[] {
    const ask = asking("describeShared", "/api/public/share/", scene);
    const password = { token: "", headers: { "x-share-password": "open%20sesame" } };
    return [
      ask("400 invalid_path", "%zz"),
      ask("400 invalid_option", `${open.hash}?sort=colour`),
      ask("401 password_required", closed.hash, { token: "" }),
      ask("404 not_found", "none"),
      ask("429 throttled", closed.hash, guess),
      ask("200 application/json", `${open.hash}/photos/`, { token: "" }),
      ask("200 application/json", closed.hash, password),
    ];
  }

  function editing(): Case[] {
    const ask = asking("openSharedDocument", "/api/public/office/", scene);
    return [
      ask("400 invalid_path", "%zz"),
      ask("400 invalid_option", `${open.hash}/a.txt?right=own`),
      ask("401 password_required", closed.hash, { token: "" }),
      ask("404 not_found", "none"),
      ask("429 throttled", closed.hash, guess),
      ask("403 not_a_file", `${open.hash}/pipe`),
      ask("409 is_folder", open.hash),
      ask("501 not_supported", `${open.hash}/a.txt`),
      ask("200 application/json", document.hash, { token: "" }, scene.editing),
    ];
  }

  /** But for opening its WebSocket. */
  function together(): Case[] {
    const ask = asking("editSharedTogether", "/api/public/coediting/", scene);
    return [
      ask("400 invalid_path", "%zz"),
      ask("400 invalid_option", `${open.hash}/a.txt`),
      ask("401 password_required", closed.hash, { token: "" }),
      ask("404 not_found", "none"),
      ask("429 throttled", closed.hash, guess),
      ask("403 not_a_file", `${open.hash}/pipe`),
      ask("409 is_folder", open.hash),
    ];
  }

  function fetching(): Case[] {
    const ask = asking("downloadShared", "/api/public/dl/", scene);
    const shared = asking("downloadShared", `/api/public/dl/${open.hash}`, scene);
    return [
      ask("400 invalid_path", "%zz"),
      ask("401 password_required", closed.hash, { token: "" }),
      ask("429 throttled", closed.hash, guess),
      shared("400 invalid_option", "/photos/?algo=rar"),
      ...downloads(shared),
    ];
  }

  function looking(): Case[] {
    const ask = asking("previewShared", "/api/public/preview/thumb/", scene);
    const dot = `${open.hash}/dot.png`;
    return [
      ask("400 invalid_path", "%zz"),
      ask("400 invalid_option", `${dot}?side=300`),
      ask("401 password_required", `${closed.hash}/dot.png`, { token: "" }),
      ask("403 not_a_file", `${open.hash}/pipe`),
      ask("404 not_found", "none"),
      ask("412 precondition_failed", dot, { headers: { "if-match": '"other"' } }),
      ask("429 throttled", closed.hash, guess),
      ask("501 not_supported", `${open.hash}/a.txt`),
      ask("304", dot, { headers: { "if-none-match": "*" } }),
      ask("200 image/jpeg", dot, { token: "" }),
      ask("200 image/webp", dot, { headers: { accept: "image/webp,*/*" } }),
      ask("204", dot.replace("dot.png", "a.txt") + "?optional=true"),
    ];
  }

  function reading(): Case[] {
    const asks = [
      ["browseSharedArchive", "archive", archived],
      ["sharedSubtitle", "subtitle", subtitled],
      ["streamShared", "stream/info", streamed],
      ["sharedRatios", "ratios", measured],
    ] as const;
    return asks.flatMap(([id, call, cases]) => {
      const ask = asking(id, `/api/public/${call}/`, scene);
      return [
        ask("400 invalid_path", "%zz"),
        ask("401 password_required", closed.hash, { token: "" }),
        ask("429 throttled", closed.hash, guess),
        ...cases(asking(id, `/api/public/${call}/${open.hash}`, scene)),
      ];
    });
  }
}

function measured(ask: Ask): Case[] {
  return [
    ask("400 invalid_option", "/photos?sort=colour"),
    ask("404 not_found", "/none"),
    ask("200 application/json", "/photos?read=true"),
  ];
}
