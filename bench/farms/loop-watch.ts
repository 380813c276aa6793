import { appendFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

/**
 * Loaded into a program before its own code: appends to the file named by `BENCH_LOOP` the time and by how many milliseconds the loop was
 * late at most since the line before.
 */
const file = process.env.BENCH_LOOP;
const everyMs = 200;

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
if (file !== undefined) {
  const look = (): void => {
    appendFileSync(file, `${Date.now()} ${(delay.max / 1e6).toFixed(1)}\n`);
    delay.reset();
  };
  setInterval(look, everyMs).unref();
}
