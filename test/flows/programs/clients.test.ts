import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeClients, ownModel } from "../../../cli/package/clients/make.ts";
import { pythonFiles } from "../../../cli/package/clients/python/generate.ts";
import { type FarmProcesses, startFarm } from "../../helpers/processes/farm-processes.ts";

const root = join(import.meta.dirname, "../../..");
const fixtures = join(root, "test/helpers/fixtures/clients");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "mediafarm-clients-")));
const words = "hello, world\n";
let tarball: string;
let wheel: string;
let farm: FarmProcesses;

const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", env, cwd: folder });
  expect([program, status, stderr, status === 0 ? "" : stdout]).toEqual([program, 0, expect.any(String), ""]);
  return stdout;
};

beforeAll(async () => {
  [tarball = "", wheel = ""] = makeClients(join(folder, "packages"));
  mkdirSync(join(folder, "node_modules/mediafarm-client"), { recursive: true });
  run("tar", ["-xzf", tarball, "--strip-components=1", "-C", join(folder, "node_modules/mediafarm-client")]);
  farm = await startFarm();
  await farm.startAgent();
  writeFileSync(join(farm.media, "clip.txt"), words);
}, 120_000);
afterAll(async () => {
  await farm?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** What a program prints that is let in by the environment. */
const tell = async (program: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<unknown> => {
  const { stdout } = await promisify(execFile)(program, args, {
    timeout: 60_000,
    env: {
      ...process.env,
      ...{ MEDIAFARM_URL: farm.baseUrl, FOLDER: farm.media },
      MEDIAFARM_OAPI_KEY: farm.secrets.oapi_key ?? "",
      MEDIAFARM_OAPI_SECRET: farm.secrets.oapi_secret ?? "",
      MEDIAFARM_AUTH_KEY: farm.secrets.auth_key ?? "",
      MEDIAFARM_AUTH_SECRET: farm.secrets.auth_secret ?? "",
      ...more,
    },
  });
  return JSON.parse(stdout);
};

/** Submitted, listed, waited for, read, stopped, deleted, heard of and refused. */
const storyOf = (name: string) => ({
  isSame: true,
  job: ["completed", null],
  jobs: [[true, name, "completed"]],
  result: "completed",
  output: [1, words.length, createHash("sha256").update(words).digest("hex"), words.slice(6)],
  stopped: ["failed", "stopped"],
  gone: [404, "NOT_FOUND", [], true],
  wrong: [400, "VALIDATION_FAILED", ["payload.elements[0].kind"], true],
  refusals: 1,
});

describe("the TypeScript client", () => {
  test("has types by which a program compiles, and a wrong one does not", () => {
    cpSync(join(fixtures, "story.mts"), join(folder, "story.mts"));
    symlinkSync(join(root, "node_modules/@types"), join(folder, "node_modules/@types"));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const flags = ["--ignoreConfig", "--noEmit", "--strict", "--target", "esnext", "--module", "nodenext"];
    run(process.execPath, [compiler, ...flags, "--types", "node", "story.mts"]);
  });

  test("goes the main paths of the API on a real farm", async () => {
    expect(await tell(process.execPath, [join(folder, "story.mts")])).toEqual(storyOf("a copy"));
  });
});

describe("the Python client", () => {
  test("goes the main paths of the API on a real farm, from the wheel and without any other package", async () => {
    const python = ["-I", "-W", "error", "-c", loadFromWheel, wheel, join(fixtures, "story.py")];
    expect(await tell("python3", python)).toEqual(storyOf("a copy in Python"));
  });

  test("is a wheel whose files are those that were made, each with its sum", () => {
    const checked = `
import base64, csv, hashlib, io, json, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
record = next(name for name in wheel.namelist() if name.endswith("RECORD"))
for name, sum, size in csv.reader(io.StringIO(wheel.read(record).decode())):
    if name == record: continue
    found = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(name)).digest()).decode().rstrip("=")
    assert (sum, int(size)) == (f"sha256={found}", len(wheel.read(name))), name
print(json.dumps({name: wheel.read(name).decode() for name in wheel.namelist()}))`;
    const files = JSON.parse(run("python3", ["-I", "-c", checked, wheel]));
    for (const [name, text] of Object.entries(pythonFiles(ownModel())))
      expect(files[`mediafarm_client/${name}`]).toBe(text);
    expect(
      Object.keys(files)
        .filter((name) => name.startsWith("mediafarm_client/"))
        .sort(),
    ).toEqual([
      ...["__init__.py", "client.py", "py.typed", "runtime.py", "types.py"].map((name) => `mediafarm_client/${name}`),
    ]);
  });
});

/** An isolated interpreter reads no PYTHONPATH. */
const loadFromWheel =
  "import runpy, sys; sys.path.insert(0, sys.argv[1]); runpy.run_path(sys.argv[2], run_name='__main__')";

test("the same sources make the same packages", () => {
  const again = makeClients(join(folder, "again"));
  expect(again.map((path) => readFileSync(path).toString("base64"))).toEqual(
    [tarball, wheel].map((path) => readFileSync(path).toString("base64")),
  );
});
