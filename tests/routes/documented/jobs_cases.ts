import { join } from "node:path";
import { plantNames } from "../../support/disks/files.ts";
import { asking, type Case, type Scene } from "./case.ts";

/** The calls about jobs, on some files of their own. */
export async function jobCases(scene: Scene): Promise<Case[]> {
  const { app } = scene;
  const token = await app.tokenOf("admin");
  const write = (name: string) => Deno.writeTextFileSync(join(app.root, name), "x");
  const entryOf = (name: string) => ({ path: `/${name}`, destination: `/moved ${name}` });
  const done = async (name: string) => {
    write(name);
    const answer = await app.call("POST", "/api/jobs", {
      token,
      json: { action: "move", entries: [entryOf(name)] },
      headers: { prefer: "wait=30" },
    });
    return `/${(await answer.json()).id}`;
  };
  for (const name of ["now", "later", "away", "aside"]) write(`${name}.txt`);
  const [over, undone, undoneLater] = [
    await done("1.txt"),
    await done("2.txt"),
    await done("3.txt"),
  ];
  const paused = await pausedJob(scene, token);
  const list = asking("listJobs", "/api/jobs", scene);
  const begin = asking("beginJob", "/api/jobs", scene);
  const job = asking("job", "/api/jobs", scene);
  const change = asking("changeJob", "/api/jobs", scene);
  const undo = asking("undoJob", "/api/jobs", scene);
  const transfer = asking("transfer", "/api/resources", scene);
  const discard = asking("remove", "/api/resources", scene);
  const patient = { prefer: "wait=30" };
  const hasty = { prefer: "respond-async" };
  const copy = (name: string) => ({ action: "copy", entries: [entryOf(name)] });
  const up = { action: "trash", entries: [{ path: "/.." }] };
  const state = (state: string) => ({ json: { state } });
  return [
    list("400 invalid_option", "?limit=x"),
    list("200 application/json", ""),

    begin("400 invalid_body", "", { json: { action: "burn", entries: [] } }),
    begin("400 invalid_path", "", { json: up }),
    begin("202 application/json", "", { json: copy("later.txt"), headers: hasty }),
    begin("200 application/json", "", { json: copy("now.txt"), headers: patient }),

    job("404 not_found", "/none"),
    job("200 application/json", over, { headers: patient }),

    change("404 not_found", "/none", state("paused")),
    change("400 invalid_body", paused, state("done")),
    change("412 precondition_failed", over, state("paused")),
    change("200 application/json", paused, state("cancelled")),

    undo("404 not_found", "/none/undo"),
    undo("412 precondition_failed", `${paused}/undo`),
    undo("202 application/json", `${undoneLater}/undo`, { headers: hasty }),
    undo("200 application/json", `${undone}/undo`, { headers: patient }),

    transfer("202 application/json", "/away.txt?action=copy&destination=/aways.txt", {
      headers: hasty,
    }),
    discard("202 application/json", "/aside.txt?trash=true", { headers: hasty }),
  ];
}

/** A job that has not ended: a copy of more than can be copied before it is paused. */
async function pausedJob({ app }: Scene, token: string): Promise<string> {
  Deno.mkdirSync(join(app.root, "many"));
  plantNames(join(app.root, "many"), 20_000);
  const json = { action: "copy", entries: [{ path: "/many", destination: "/more" }] };
  const begun = await app.call("POST", "/api/jobs", { token, json });
  const { id } = await begun.json();
  const answer = await app.call("PATCH", `/api/jobs/${id}`, { token, json: { state: "paused" } });
  await answer.body?.cancel();
  return `/${id}`;
}
