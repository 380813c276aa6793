import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { ffmpegPath, make } from "../../helpers/media/media-tools.ts";
import { startFarm } from "../../helpers/processes/farm-processes.ts";

const root = join(import.meta.dirname, "../../..");
const mark = "--- end of example";

const lacking = [
  ...(spawnSync("curl", ["--fail-with-body", "--version"]).status === 0 ? [] : ["curl 7.76 or newer"]),
  ...(spawnSync("bash", ["--version"]).status === 0 ? [] : ["bash"]),
  ...(ffmpegPath === undefined ? ["ffmpeg"] : []),
];

/** One example of the page: what is run, and the JSON that it shows as the answer, if it shows any. */
type Example = { readonly script: string; readonly answer: unknown };

const examplesOf = (page: string): Example[] => {
  const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, kind = "", body = ""]) => ({ kind, body }));
  return blocks.flatMap(({ kind, body }, index) => {
    const next = blocks[index + 1];
    if (kind !== "sh") return [];
    return [{ script: body, answer: next?.kind === "json" ? JSON.parse(next.body) : undefined }];
  });
};

/** All examples in one shell, which ends at the first that fails; gives what each one printed. */
const runAll = async (examples: readonly Example[], env: NodeJS.ProcessEnv): Promise<string[]> => {
  const script = ["set -eo pipefail", ...examples.map((each) => `${each.script}\necho; echo '${mark}'`)].join("\n");
  const shell = spawn("bash", ["-c", script], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => shell.once("exit", resolve));
  const [out, problems, status] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
  const printed = out.split(mark);
  expect(status, `example ${printed.length} failed: ${examples[printed.length - 1]?.script}\n${out}\n${problems}`).toBe(
    0,
  );
  return printed;
};

/** Values by their types; of a list the first element tells. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
};

/** What the page shows must be there in that form; where it shows null or an empty list, there may be anything by now. */
const expectShape = (actual: unknown, shown: unknown, where: string): void => {
  if (shown === null) {
    expect(actual, where).not.toBeUndefined();
    return;
  }
  if (Array.isArray(shown)) {
    expect(Array.isArray(actual), where).toBe(true);
    const [first] = actual as unknown[]; // just checked
    if (shown.length > 0) expectShape(first, shown[0], `${where}[0]`);
    return;
  }
  if (typeof shown !== "object") {
    expect(shapeOf(actual), where).toBe(shapeOf(shown));
    return;
  }
  const found = Object(actual) as Record<string, unknown>; // a value without fields has none of them
  expect(Object.keys(found).sort(), where).toEqual(Object.keys(shown).sort());
  for (const [key, each] of Object.entries(shown)) expectShape(found[key], each, `${where}.${key}`);
};

const why = lacking.length > 0 ? ` (skipped: ${lacking.join(", ")} missing)` : "";

describe.skipIf(lacking.length > 0)(`docs/api.md${why}`, () => {
  test("its examples run in order and answer as shown", async () => {
    const examples = examplesOf(readFileSync(join(root, "docs/api.md"), "utf8"));
    expect(examples.length).toBeGreaterThan(15);
    await using farm = await startFarm();
    await farm.startAgent();
    const picture = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=24:duration=2"];
    const sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=2", "-shortest"];
    await make(join(farm.media, "clip.mp4"), ...picture, ...sound, "-pix_fmt", "yuv420p");
    const printed = await runAll(examples, {
      ...process.env,
      MEDIAFARM_URL: farm.baseUrl,
      MEDIAFARM_OAPI_KEY: farm.secrets.oapi_key ?? "",
      MEDIAFARM_OAPI_SECRET: farm.secrets.oapi_secret ?? "",
      MEDIAFARM_AUTH_KEY: farm.secrets.auth_key ?? "",
      MEDIAFARM_AUTH_SECRET: farm.secrets.auth_secret ?? "",
      FOLDER: farm.media,
    });
    for (const [index, { script, answer }] of examples.entries()) {
      if (answer !== undefined) expectShape(JSON.parse(printed[index] ?? ""), answer, script);
    }
    expect(printed.filter((each) => each.includes("event: reset"))).toHaveLength(1);
  });
});
