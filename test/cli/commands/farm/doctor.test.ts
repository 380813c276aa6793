import { chmodSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestCoordinator, type TestCoordinator } from "../../../helpers/farm/coordinator.ts";
import { aFolder, removeFolder } from "../../../helpers/farm/farm.ts";
import { documentsOf, runHere } from "../../../helpers/processes/cli.ts";

type Found = { readonly what: string; readonly severity: string; readonly words: string };
type Report = { readonly severity: string; readonly areas: readonly { area: string; findings?: readonly Found[] }[] };

let folder: string;
let farm: TestCoordinator;
/** No ffmpeg is started here: the commands of docs/troubleshooting.md do that. */
const env = { FFMPEG_PATH: "/nonexistent/ffmpeg", MEDIAFARM_SMTP_URL: "smtp://ada:opensesame@mail.example:587" };

beforeEach(async () => {
  folder = aFolder();
  farm = await openTestCoordinator(join(folder, "coordinator"));
});
afterEach(async () => {
  await farm.coordinator.close();
  removeFolder(folder);
});

const doctor = async (...words: string[]) => {
  const { status, stdout, stderr } = await runHere(["doctor", "--data", folder, "--json", ...words], {
    env,
    clock: farm.clock,
  });
  const [report] = documentsOf(stdout) as unknown as [Report];
  const severityOf = (area: string) => report.areas.find((each) => each.area === area)?.findings?.map(toText);
  return { status, stderr, report, severityOf };
};
const toText = ({ severity, what }: Found): string => `${severity} ${what}`;

test("a farm that runs is examined in every area; what only warns ends with 0", async () => {
  const { status, report, severityOf } = await doctor();
  expect([status, report.severity]).toEqual([0, "warn"]);
  expect(severityOf("data folder")?.filter((each) => !each.endsWith("disk space"))).toEqual([
    ...["ok folder", "ok permissions", "ok database"],
  ]);
  expect(severityOf("farm")).toEqual(["ok answers", "ok ready", "ok TLS"]);
  expect(severityOf("nodes")).toEqual(["warn count"]);
  expect(severityOf("tools")).toEqual(["warn ffmpeg"]);
  expect(severityOf("mounts")).toEqual([]);
  expect(severityOf("backups")).toEqual(["warn schedule"]);
  // Its clock stands at the beginning of a month, and its files were written today.
  expect(severityOf("clocks")?.slice(0, 2)).toEqual(["ok the farm's clock", "warn this machine's clock"]);
});

test("secrets that others may read are bad, and end with 1", async () => {
  chmodSync(join(folder, "coordinator/secret.key"), 0o644);
  const { status, severityOf } = await doctor();
  expect([status, severityOf("data folder")?.filter((each) => each.startsWith("bad"))]).toEqual([
    1,
    ["bad permissions"],
  ]);
});

test("a farm that does not run is examined as far as that goes", async () => {
  await farm.coordinator.close();
  const { status, report, severityOf } = await doctor();
  expect([status, severityOf("farm")]).toEqual([0, ["warn running"]]);
  expect(severityOf("data folder")).toContain("ok database");
  expect(report.areas.filter(({ findings }) => findings === undefined).map(({ area }) => area)).toEqual([
    ...["nodes", "mounts", "backups"],
  ]);
  farm = await openTestCoordinator(join(folder, "another"));
});

test("the bundle is for this user only, without secrets and homes, and never replaces a file", async () => {
  const file = join(folder, "report.json");
  const { status, stderr } = await doctor("--bundle", file);
  expect([status, stderr]).toEqual([0, `Wrote ${file}. Look through it before you send it.\n`]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, "utf8");
  expect(JSON.parse(text)).toMatchObject({ report: { severity: "warn" }, nodes: [] });
  expect(JSON.parse(text).variables).toEqual(["FFMPEG_PATH", "MEDIAFARM_SMTP_URL"]);
  for (const secret of ["opensesame", ...Object.values(farm.secrets), homedir()]) expect(text).not.toContain(secret);
  const again = await runHere(["doctor", "--data", folder, "--bundle", file], { env, clock: farm.clock });
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining("The bundle cannot be written: EEXIST")]);
});
