import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isLong } from "../helpers/long.ts";
import { exitOf } from "../helpers/processes/farm-processes.ts";
import { postgresLacks } from "../servers/postgres.ts";

const lacks = isLong ? postgresLacks() : "it takes more than an hour: npm run long";
if (lacks) console.warn(`SKIPPED: a day of a thousand nodes in an hour: ${lacks}`);

/** `MEDIAFARM_DAY="--nodes 200 --part 0.1"` tries a part of it. */
const program = join(import.meta.dirname, "../coordinators/day.ts");

test.skipIf(lacks)(
  "a day of a thousand nodes leaves memory flat and no dead rows",
  { timeout: 3 * 3_600_000 },
  async () => {
    const words = (process.env.MEDIAFARM_DAY ?? "").split(" ").filter(Boolean);
    const child = spawn(process.execPath, [program, ...words], { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.on("data", (text: Buffer) => {
      said += String(text);
      process.stdout.write(text);
    });
    expect([await exitOf(child), said.match(/WRONG.*/g)]).toEqual([0, null]);
  },
);
