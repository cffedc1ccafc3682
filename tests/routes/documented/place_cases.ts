import { parsePath } from "../../../lib/shared/path.ts";
import { asking, type Case, type Scene } from "./case.ts";

/** The calls about favourites and recent files. */
export async function placeCases(scene: Scene): Promise<Case[]> {
  const { token, user } = await scene.app.addUser("collector");
  await scene.app.cubby.favorites.lists.change(
    user.id,
    () =>
      Array.from({ length: 100 }, (_, index) => {
        const { path } = parsePath(`/star-${index}`);
        return { path, place: path, isDir: false };
      }),
  );
  const list = asking("listFavorites", "/api/favorites", scene);
  const put = asking("putFavorite", "/api/favorites", scene);
  const remove = asking("removeFavorite", "/api/favorites", scene);
  const recent = asking("listRecent", "/api/recent", scene);
  const note = asking("noteRecent", "/api/recent", scene);
  const clear = asking("clearRecent", "/api/recent", scene);
  const view = asking("putView", "/api/views", scene);
  const forget = asking("removeView", "/api/views", scene);
  const json = { viewMode: "mosaic", sorting: { by: "size", asc: false } };
  return [
    view("400 invalid_path", "/%00", { json }),
    view("400 invalid_body", "/photos", { json: { viewMode: "cinema" } }),
    view("404 not_found", "/none", { json }),
    view("200 text/plain", "/photos", { json }),
    forget("400 invalid_path", "/%00"),
    forget("200 text/plain", "/photos"),
    forget("200 text/plain", "/?all=true"),
    put("400 invalid_path", "/%00"),
    put("404 not_found", "/none"),
    put("200 text/plain", "/a.txt"),
    put("200 text/plain", "/photos?before=/a.txt"),
    list("200 application/json", ""),
    remove("400 invalid_path", "/%00"),
    remove("404 not_found", "/none"),
    remove("200 text/plain", "/photos"),
    put("400 invalid_body", "/photos", { token }),
    note("400 invalid_path", "/%00"),
    note("404 not_found", "/none"),
    note("409 is_folder", "/photos"),
    note("200 text/plain", "/a.txt"),
    recent("200 application/json", ""),
    clear("200 text/plain", ""),
  ];
}
