import type { RouteConfig } from "fresh";
import { calls } from "../../../../lib/server/http/calls.ts";
import { signedInOf } from "../../../../lib/server/http/middleware/sign_in.ts";
import { accessFor } from "../../../../lib/server/http/request/access_for.ts";
import { previewKind } from "../../../../lib/server/http/request/query.ts";
import { pathRoute, requestPath } from "../../../../lib/server/http/request/request_path.ts";
import { sizedPreviewAnswer } from "../../../../lib/server/http/response/preview_answers.ts";
import { parameterNamed } from "../../../../lib/server/http/openapi/parameters.ts";
import {
  previewAnswers,
  previewParameters,
  sizeParameter,
} from "../../../../lib/server/http/openapi/parts/files.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/preview/:size/*?") };

/** Previews of pictures. */
export const handler = calls({
  GET: {
    id: "preview",
    tag: "Content",
    summary: "Get a resized image of a file",
    description:
      "Rotated upright. `thumb` is a square of 256 pixels, `big` fits into 1080 pixels; " +
      "`side=360` and `side=640` return a larger square, never larger than the picture. The " +
      "format is WebP if the request accepts `image/webp` by name, otherwise JPEG. With `k`, " +
      "a key that the client changes with the file, such as its time, browsers may cache the " +
      "image forever.\n\n" +
      "Images come from pictures, RAW files of cameras, covers in music, folders (as `thumb`, " +
      "of the first four pictures that you may see) and, where the server has the programs, " +
      "videos, PDFs, and pictures in JXL, JPEG 2000, PSD, TGA, QOI, PNM and icons; `ThumbKinds` " +
      "in the configuration of the pages lists the kinds. A picture that breaks off is shown as " +
      "far as it goes. To clients that accept `text/plain` by name, the thumbnail of a text is its " +
      "beginning, of up to 4 KB in UTF-8. Where previews are switched off, the picture itself is sent. A file " +
      "without a picture, a broken one, one of over 100 megapixels (JPEG: 210), and SVG are " +
      "501; with `optional=true` they are 204.\n\n" +
      "`pdf` returns an Office document (`.pptx`, `.odt`, `.doc` and the like, up to 100 MiB) as " +
      "PDF, which LibreOffice makes where it is installed, and which is kept; otherwise 501.\n\n" +
      "With `--api-compat 2.63` and without `k`, SVG, GIF and HEIC, and with `big` also TIFF and " +
      "the RAW files DNG, CR2 and NEF, are sent as they are, as File Browser does.\n\n" +
      "Needs the permission to download.",
    token: "read",
    parameters: [sizeParameter, parameterNamed("Path"), ...previewParameters],
    answers: previewAnswers("text/plain"),
    refusals: [
      "invalid_option",
      "invalid_path",
      "not_a_file",
      "not_found",
      "precondition_failed",
      "throttled",
      "not_supported",
      "busy",
    ],
    examples: `
$ curl -D - -o logo.webp "$CUBBY/api/preview/thumb/logo.png?k=1" -H "X-Auth: $TOKEN" -H 'Accept: image/webp'
HTTP/1.1 200 OK
cache-control: private, immutable, max-age=31536000
content-disposition: inline; filename="logo.webp"; filename*=UTF-8''logo.webp
content-type: image/webp
etag: "64418c2596bab4ddefe1b4ae2a6029be"

$ curl -i $CUBBY/api/preview/thumb/photos/sea.jpg -H "X-Auth: $TOKEN"
HTTP/1.1 501 Not Implemented
content-type: text/plain; charset=utf-8

Cannot make a preview of "/photos/sea.jpg": the picture cannot be read
`,
    async handle(ctx) {
      const kind = previewKind(ctx.params.size);
      const { path } = requestPath(ctx, `preview/${kind}`);
      const waitsAs = String(signedInOf(ctx).user.id);
      // Our own pages send a key.
      const asFileBrowser = ctx.state.cubby.config.apiCompat === "2.63" &&
        !ctx.url.searchParams.has("k");
      return await sizedPreviewAnswer(ctx, accessFor(ctx), path, { kind, waitsAs, asFileBrowser });
    },
  },
});
