import { join } from "node:path";
import { asking, type Case, type Scene } from "./case.ts";

/** The calls about the trash, into which some files of their own have gone. */
export async function trashCases(scene: Scene): Promise<Case[]> {
  const { app, commanding: trashless } = scene;
  const token = await app.tokenOf("admin");
  const discarded = async (path: string) => {
    const answer = await app.call("DELETE", `/api/resources/${path}?trash=true`, { token });
    await answer.body?.cancel();
    return `/${answer.headers.get("content-location")?.split("/").at(-1)}`;
  };
  const trashed = (path: string) => {
    Deno.mkdirSync(join(app.root, path, ".."), { recursive: true });
    Deno.writeTextFileSync(join(app.root, path), "0123456789");
    return discarded(path);
  };
  const back = await trashed("back.txt");
  const gone = await trashed("gone.txt");
  const blocked = await trashed("blocked/below.txt");
  const made = await app.call("POST", "/api/resources/held/", { token });
  await made.body?.cancel();
  const folder = await discarded("held");
  Deno.symlinkSync("a.txt", join(app.root, "held"));
  const link = await discarded("held");
  Deno.removeSync(join(app.root, "blocked"));
  Deno.writeTextFileSync(join(app.root, "blocked"), "a file");
  const list = asking("listTrash", "/api/trash", scene);
  const empty = asking("emptyTrash", "/api/trash", scene);
  const usage = asking("trashUsage", "/api/trash/usage", scene);
  const read = asking("readTrashed", "/api/trash", scene);
  const restore = asking("restore", "/api/trash", scene);
  const remove = asking("removeFromTrash", "/api/trash", scene);
  const discard = asking("remove", "/api/resources", scene);
  // Not where other cases use the trash.
  for (const name of ["kept.txt", ".cubby-trash"]) {
    Deno.writeTextFileSync(join(trashless.root, name), "in the way");
  }
  return [
    list("400 invalid_option", "?limit=few"),
    list("200 application/json", "?limit=3&query=a"),
    usage("200 application/json", ""),
    read("403 not_a_file", link),
    read("404 not_found", "/none"),
    read("409 is_folder", folder),
    read("412 precondition_failed", gone, { headers: { "if-match": '"other"' } }),
    read("416 range_not_satisfiable", gone, { headers: { range: "bytes=10-" } }),
    read("304", gone, { headers: { "if-none-match": "*" } }),
    read("206 */*", gone, { headers: { range: "bytes=0-0" } }),
    read("206 multipart/byteranges", gone, { headers: { range: "bytes=0-1,4-5" } }),
    read("200 */*", gone),
    restore("404 not_found", "/none"),
    restore("409 exists", blocked),
    restore("200 text/plain", back),
    remove("404 not_found", "/none"),
    remove("200 text/plain", gone),
    empty("200 text/plain", ""),
    discard("501 no_trash", "/kept.txt?trash=true", {}, trashless),
  ];
}
