import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";

/** Preloaded into a program (`--import`): writes into LOADED_FOLDER which modules it had loaded when it ended. */
const loaded = new Set<string>();
if (isMainThread && process.env.LOADED_FOLDER) {
  const file = join(process.env.LOADED_FOLDER, `${process.pid}.loaded`);
  registerHooks({
    load: (url, context, next) => {
      loaded.add(url);
      return next(url, context);
    },
  });
  process.on("exit", () => writeFileSync(file, [process.argv.slice(1, 3).join(" "), ...loaded].join("\n")));
}
