/** The thread in which drawings are painted. */
import { checkDrawing } from "./drawing_check.ts";
import { Drawer } from "./draw_svg.ts";
import type { Pixels } from "./picture.ts";
import type { DrawTask } from "./protocol.ts";
import { takeOrders } from "./worker_scope.ts";

const opening = Drawer.open();
let drawer: Drawer | undefined;

takeOrders<null, DrawTask, Pixels>({
  // It holds 40 MB, and drawings are rare.
  idleMs: 10_000,
  setUp() {},
  isSpent: () => drawer?.isSpent ?? false,
  async perform({ svg, size }) {
    const text = checkDrawing(svg);
    drawer = await opening;
    const result = drawer.draw(text, size);
    return { result, transfer: [result.bytes.buffer] };
  },
});
