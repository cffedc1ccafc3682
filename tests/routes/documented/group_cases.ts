import { permissionsWhere } from "../../../lib/shared/schemas/choices/choices.ts";
import { asking, type Case, type Scene } from "./case.ts";

const badRule = { rules: [{ regex: true, regexp: { raw: "(" } }] };

/** The calls about groups. */
export async function groupCases(scene: Scene): Promise<Case[]> {
  const { app } = scene;
  const groups = app.cubby.users.groups;
  const blank = {
    rules: [],
    roots: [],
    quota: { bytes: 0, files: 0 },
    perm: permissionsWhere(() => false),
  };
  const { id } = await groups.create({ ...blank, name: "Editors" });
  await groups.create({ ...blank, name: "Taken" });
  const wary = await app.addUser("wary of groups", { perm: { admin: true } });
  const current_password = "not the right one";
  const guess = { name: "guess", current_password };
  const throttled = { token: wary.token, json: guess, from: "192.0.2.31" };
  for (let time = 0; time < 5; time++) {
    const answer = await app.call("POST", "/api/groups", throttled);
    await answer.body?.cancel();
  }
  const proof = { current_password: app.admin.password };
  const own = String(id);
  const list = asking("listGroups", "/api/groups", scene);
  const add = asking("addGroup", "/api/groups", scene);
  const get = asking("getGroup", "/api/groups/", scene);
  const change = asking("changeGroup", "/api/groups/", scene);
  const remove = asking("removeGroup", "/api/groups/", scene);
  return [
    list("400 invalid_option", "?limit=x"),
    list("200 application/json", ""),
    add("403 wrong_credentials", "", { json: { name: "New" } }),
    add("429 throttled", "", throttled),
    add("400 invalid_name", "", { json: { name: "", ...proof } }),
    add("400 invalid_rule", "", { json: { name: "New", ...badRule, ...proof } }),
    add("404 not_found", "", { json: { name: "New", members: [999], ...proof } }),
    add("409 exists", "", { json: { name: "Taken", ...proof } }),
    add("201 application/json", "", { json: { name: "New", members: [1], ...proof } }),
    get("404 not_found", "none"),
    get("200 application/json", own),
    change("404 not_found", "999", { json: proof }),
    change("403 wrong_credentials", own, { json: { name: "Other" } }),
    change("429 throttled", own, throttled),
    change("400 invalid_name", own, { json: { name: "a,b", ...proof } }),
    change("400 invalid_rule", own, { json: { ...badRule, ...proof } }),
    change("409 exists", own, { json: { name: "Taken", ...proof } }),
    change("200 application/json", own, { json: { perm: { create: true }, ...proof } }),
    remove("404 not_found", "999", { json: proof }),
    remove("403 wrong_credentials", own),
    remove("429 throttled", own, { ...throttled, json: { current_password } }),
    remove("200 text/plain", own, { json: proof }),
  ];
}
