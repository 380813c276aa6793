import { readFile, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readIdentity } from "../../../agent/storage/file/identity.ts";
import { pathToUri } from "../../../shared/files/location.ts";
import type { IntentFile } from "../../../shared/work/work.ts";
import { aFarm, anAssignment, type Farm, media } from "../../helpers/agent/agent-fixture.ts";

let farm: Farm;
beforeEach(async () => {
  farm = await aFarm();
  await farm.start();
  await farm.coordinator.receive("hello");
});
afterEach(() => farm.end());

const uriOf = (name: string): string => pathToUri(farm.path(name), "posix");

/** What a lying node had granted: a file of the root, known by its size and identity, is to become the result. */
const claiming = async (temp: string, changes: Partial<IntentFile> = {}): Promise<IntentFile> => {
  const found = await readIdentity(farm.path(temp));
  if (!found) throw new Error(`there is no ${temp}`);
  const { size, identity } = found;
  const told = { output: "main", temp: uriOf(temp), final: uriOf("out/result.mp4"), size, identity };
  return { ...told, existing: "fail", ...changes };
};

/** The next attempt is given the intent, and makes its own file. */
const takeOver = async (...files: IntentFile[]): Promise<void> => {
  farm.coordinator.assign(anAssignment({ root: farm.root, counter: 9, previousIntent: { files } }));
  const report = await farm.coordinator.reportOf({ epoch: 1, counter: 9 });
  expect(report.outcome.outcome).toBe("published");
};

test.each([
  ["a film beside the target", "out/film.mp4"],
  ["a film elsewhere in the roots", "film.mp4"],
  ["a hidden file that no attempt made", "out/.film.mp4"],
  ["what a later attempt has made so far", "out/.film.mp4.1.10.part"],
  ["what waits in another folder", ".film.mp4.1.3.part"],
])("an agent does not publish %s as the work of an earlier attempt", async (_what, name) => {
  await writeFile(farm.path(name), media("precious"));
  await takeOver(await claiming(name));
  expect(await readFile(farm.path(name), "utf8")).toBe(media("precious"));
  expect(await readFile(farm.path("out/result.mp4"), "utf8")).toBe(media("made"));
});

test("an agent removes no file for an earlier attempt that its task does not make", async () => {
  await writeFile(farm.path("film.mp4"), media("precious"));
  const gone = { ...(await claiming("film.mp4")), temp: uriOf("out/.a.mp4.1.3.part"), final: uriOf("out/none.mp4") };
  await takeOver(await claiming("film.mp4", { temp: gone.temp, final: uriOf("film.mp4") }), gone);
  expect(await readFile(farm.path("film.mp4"), "utf8")).toBe(media("precious"));
});

test("an agent replaces no file for an earlier attempt where its task is to fail or to choose another name", async () => {
  await writeFile(farm.path("out/result.mp4"), media("precious"));
  await writeFile(farm.path("out/.result.mp4.1.3.part"), media("lie"));
  const file = await claiming("out/.result.mp4.1.3.part", { existing: "delete_and_replace" });
  const output = { existing: "rename_new" } as const;
  farm.coordinator.assign(anAssignment({ root: farm.root, counter: 9, output, previousIntent: { files: [file] } }));
  await farm.coordinator.reportOf({ epoch: 1, counter: 9 });
  expect(await readFile(farm.path("out/result.mp4"), "utf8")).toBe(media("precious"));
});
