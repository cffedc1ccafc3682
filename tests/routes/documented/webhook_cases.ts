import { asking, type Case, type Scene } from "./case.ts";

/** The calls about webhooks. */
export async function webhookCases(all: Scene): Promise<Case[]> {
  const scene = { ...all, app: all.telling };
  const { app, guarded } = scene;
  const list = asking("listWebhooks", "/api/webhooks", scene);
  const add = asking("addWebhook", "/api/webhooks", scene);
  const show = asking("readWebhook", "/api/webhooks", scene);
  const change = asking("changeWebhook", "/api/webhooks", scene);
  const remove = asking("removeWebhook", "/api/webhooks", scene);
  const renew = asking("renewWebhookSecret", "/api/webhooks", scene);
  const test = asking("testWebhook", "/api/webhooks", scene);
  const url = "https://receiver.invalid/in";
  const draft = { name: "Chat", url, events: ["writes" as const] };
  const proof = { current_password: app.admin.password };
  const json = { ...draft, ...proof };
  const without = { token: await guarded.tokenOf("admin") };
  const kept = { path: "/", enabled: true };
  const added = await app.cubby.webhooks?.add({ ...draft, ...kept });
  const gone = await app.cubby.webhooks?.add({ ...draft, ...kept });
  const [one, two] = [`/${added?.hook.id}`, `/${gone?.hook.id}`];
  const none = "/AAAAAAAAAAAAAAAA";
  const wary = await app.addUser("wary", { perm: { admin: true } });
  const wrong = { current_password: "not the right one" };
  const guess = { token: wary.token, json: { ...draft, ...wrong } };
  for (let time = 0; time < 5; time++) {
    await (await app.call("POST", "/api/webhooks", guess)).body?.cancel();
  }
  const bodies = [add, change].flatMap((ask) => {
    const rest = ask === add ? "" : one;
    return [
      ask("400 invalid_body", rest, { json: { ...json, events: [] } }),
      ask("403 wrong_credentials", rest, { json: draft }),
      ask("429 throttled", rest, guess),
      ask("400 invalid_option", rest, { json: { ...json, url: "https://127.0.0.1/" } }),
      ask("400 invalid_path", rest, { json: { ...json, path: "/../x" } }),
      ask("501 not_supported", rest, { ...without, json }, guarded),
    ];
  });
  return [
    list("501 not_supported", "", without, guarded),
    list("400 invalid_option", "?limit=x"),
    list("200 application/json", ""),
    ...bodies,
    add("201 application/json", "", { json }),
    change("404 not_found", none, { json }),
    change("200 application/json", one, { json }),
    show("404 not_found", none),
    show("501 not_supported", one, without, guarded),
    show("200 application/json", one),
    renew("403 wrong_credentials", one + "/secret", { json: {} }),
    renew("429 throttled", one + "/secret", { ...guess, json: wrong }),
    renew("404 not_found", none + "/secret", { json: proof }),
    renew("501 not_supported", one + "/secret", { ...without, json: proof }, guarded),
    renew("200 application/json", one + "/secret", { json: proof }),
    test("404 not_found", none + "/test"),
    test("501 not_supported", one + "/test", without, guarded),
    test("200 application/json", one + "/test"),
    remove("403 wrong_credentials", two, { json: {} }),
    remove("429 throttled", two, { ...guess, json: wrong }),
    remove("404 not_found", none, { json: proof }),
    remove("501 not_supported", two, { ...without, json: proof }, guarded),
    remove("200 text/plain", two, { json: proof }),
  ];
}
