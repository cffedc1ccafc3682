import { userPassword } from "../../support/server/app.ts";
import { asking, type Case, type Scene } from "./case.ts";

const badRule = { rules: [{ regex: true, regexp: { raw: "(" } }] };

/** The calls about users and the settings of the server. */
export async function userCases(scene: Scene): Promise<Case[]> {
  const { app } = scene;
  const settings = await app.cubby.settings.get();
  await app.cubby.settings.update({ ...settings, signup: true, createUserDir: true });
  const wary = await app.addUser("wary", { perm: { admin: true } });
  const guess = { ...about({}), current_password: "not the right one" };
  for (let time = 0; time < 5; time++) {
    const answer = await app.call("POST", "/api/users", { token: wary.token, json: guess });
    await answer.body?.cancel();
  }
  const robot = { json: { username: "vera", password: userPassword }, from: "192.0.2.7" };
  for (let time = 0; time < 5; time++) {
    await (await scene.guarded.call("POST", "/api/signup", robot)).body?.cancel();
  }
  const { user } = await app.addUser("ulla");
  const limited = await app.addUser("lena", { scope: "/lena", quota: { bytes: 1_000_000_000 } });
  // Counted now: a list would have that begin, and a later test hear its end.
  const admin = { token: await app.tokenOf("admin") };
  await (await app.call("POST", `/api/quotas/${limited.user.id}`, admin)).body?.cancel();
  return [
    ...signingUp(scene),
    ...adding(scene, wary.token),
    ...changing(scene, user.id, wary.token),
    ...counting(scene, limited.user.id),
    ...explaining(scene, user.id),
    ...removing(scene, user.id, wary.token),
    ...settling(scene, wary.token),
  ];

  function about(data: object) {
    return { what: "user", which: [], data, current_password: app.admin.password };
  }

  function signingUp(scene: Scene): Case[] {
    const ask = asking("signUp", "/api/signup", scene);
    const password = userPassword;
    return [
      ask("403 forbidden", "", { token: "", json: { username: "vera", password } }, scene.open),
      ask("400 invalid_name", "", { json: { username: "", password } }),
      ask("400 invalid_password", "", { json: { username: "vera", password: "short" } }),
      ask("409 exists", "", { json: { username: "admin", password } }),
      ask("403 wrong_credentials", "", { ...robot, from: "192.0.2.8", token: "" }, scene.guarded),
      ask("429 throttled", "", { ...robot, token: "" }, scene.guarded),
      ask("200 text/plain", "", { token: "", json: { username: "vera", password } }),
    ];
  }

  function adding(scene: Scene, wary: string): Case[] {
    const list = asking("listUsers", "/api/users", scene);
    const ask = asking("addUser", "/api/users", scene);
    const made = { username: "willi", password: userPassword };
    return [
      list("400 invalid_option", "?limit=x"),
      list("200 application/json", ""),
      ask("403 wrong_credentials", "", { json: { what: "user", data: made } }),
      ask("429 throttled", "", { token: wary, json: guess }),
      ask("400 invalid_name", "", { json: about({ ...made, username: "" }) }),
      ask("400 invalid_password", "", { json: about({ ...made, password: "short" }) }),
      ask("400 invalid_path", "", { json: about({ ...made, scope: "/.." }) }),
      ask("400 invalid_rule", "", { json: about({ ...made, ...badRule }) }),
      ask("409 exists", "", { json: about({ ...made, username: "admin" }) }),
      ask("201 text/plain", "", { json: about(made) }),
    ];
  }

  function changing(scene: Scene, id: number, wary: string): Case[] {
    const get = asking("getUser", "/api/users/", scene);
    const ask = asking("changeUser", "/api/users/", scene);
    const own = String(id);
    const demoted = { perm: { admin: false } };
    const open = scene.open;
    return [
      get("404 not_found", "none"),
      get("200 application/json", own),
      ask("404 not_found", "999", { json: about({ locale: "de" }) }),
      ask("403 wrong_credentials", own, { json: { what: "user", data: { scope: "/a" } } }),
      ask("429 throttled", own, { token: wary, json: { ...guess, data: { scope: "/a" } } }),
      ask("400 invalid_name", own, { json: about({ username: "" }) }),
      ask("400 invalid_password", own, {
        json: { ...about({ password: "short" }), which: ["password"] },
      }),
      ask("400 invalid_path", own, { json: about({ scope: "/.." }) }),
      ask("400 invalid_rule", own, { json: about(badRule) }),
      ask("409 exists", own, { json: about({ username: "admin" }) }),
      ask(
        "403 last_admin",
        "1",
        { token: "", json: about(demoted), origin: "http://127.0.0.1" },
        open,
      ),
      ask("200 text/plain", own, { json: about({ scope: "/a" }) }),
    ];
  }

  function counting(scene: Scene, id: number): Case[] {
    const list = asking("listQuotas", "/api/quotas", scene);
    const ask = asking("recountQuota", "/api/quotas/", scene);
    return [
      list("400 invalid_option", "?limit=x"),
      list("200 application/json", ""),
      ask("404 not_found", "999"),
      ask("501 not_supported", "1"),
      ask("200 application/json", String(id)),
    ];
  }

  function explaining(scene: Scene, id: number): Case[] {
    const ask = asking("explainAccess", "/api/users/", scene);
    return [
      ask("400 invalid_path", `${id}/access?path=/..`),
      ask("404 not_found", "999/access"),
      ask("200 application/json", `${id}/access?path=/`),
    ];
  }

  function removing(scene: Scene, id: number, wary: string): Case[] {
    const ask = asking("removeUser", "/api/users/", scene);
    const own = String(id);
    const json = { current_password: app.admin.password };
    const local = { token: "", origin: "http://127.0.0.1" };
    return [
      ask("404 not_found", "999", { json }),
      ask("403 wrong_credentials", own),
      ask("429 throttled", own, { token: wary, json: { current_password: "wrong" } }),
      ask("403 last_admin", "1", local, scene.open),
      ask("200 text/plain", own, { json }),
    ];
  }

  function settling(scene: Scene, wary: string): Case[] {
    const get = asking("getSettings", "/api/settings", scene);
    const ask = asking("changeSettings", "/api/settings", scene);
    return [
      get("200 application/json", ""),
      ask("400 invalid_body", "", { json: { signup: "yes" } }),
      ask("400 invalid_path", "", { json: { defaults: { scope: "/.." } } }),
      ask("400 invalid_rule", "", { json: badRule }),
      ask("403 wrong_credentials", "", { json: { signup: false } }),
      ask("429 throttled", "", { token: wary, json: { signup: false, current_password: "wrong" } }),
      ask("200 text/plain", "", { json: { branding: { name: "Den" } } }),
    ];
  }
}
