import { aCopyTo } from "../../helpers/farm/job-builders.ts";
import { type Drawing, jobOf, sourceOf } from "./job-plan.ts";
import { shareAt } from "./places.ts";

/** A copy that takes the place of an older file. */
export const drawReplacing = ({ nr, sources, random }: Drawing) => {
  const [name, bytes] = random.one([...sources]);
  const folder = `${shareAt}/out/job-${nr}/again`;
  const older = random.bytes(random.integer(1, 300));
  const existing = random.one(["replace", "replace_late", "delete_and_replace", "rename_org"]);
  const aside = new Map([[`${folder}/${name.replace(".mp4", "_org_1.mp4")}`, older]]);
  return {
    job: jobOf([sourceOf(name), aCopyTo(folder, { existing_files: existing })], [aStep], random),
    targets: new Map([[`${folder}/${name}`, bytes], ...(existing === "rename_org" ? aside : [])]),
    before: new Map([[`${folder}/${name}`, older]]),
  };
};
const aStep = { from: ["source"], to: ["copy"] };

/** Copies of some masters to one name of one folder: each takes the next number that is free. */
export const drawMeeting = ({ nr, sources, random }: Drawing) => {
  const masters = [...sources].slice(0, random.integer(2, 4));
  const folder = `${shareAt}/out/job-${nr}/together`;
  const copies = masters.map((_, at) => ({
    ...aCopyTo(folder, { existing_files: "rename_new", file_pattern: "met.mp4" }),
    uid: `copy${at}`,
  }));
  const firsts = masters.map(([name], at) => sourceOf(name, `source${at}`));
  const connections = copies.map(({ uid }, at) => ({ from: [`source${at}`], to: [uid] }));
  const nameOf = (at: number): string => (at === 0 ? "met.mp4" : `met_${at}.mp4`);
  return {
    job: jobOf([...firsts, ...copies], connections, random),
    targets: new Map(masters.map(([, bytes], at) => [`${folder}/${nameOf(at)}`, bytes])),
    isInAnyOrder: true,
  };
};

/** A copy that may not take a name that is taken, what must not follow it, and what is done instead. */
export const drawRefused = ({ nr, sources, random }: Drawing) => {
  const [name, bytes] = random.one([...sources]);
  const [taken, instead] = ["taken", "instead"].map((each) => `${shareAt}/out/job-${nr}/${each}`);
  const older = random.bytes(random.integer(1, 300));
  const copies = [
    { ...aCopyTo(taken ?? "", { existing_files: "fail" }), uid: "refused", task: { retry_method: "fail" } },
    { ...aCopyTo(taken ?? "", { file_pattern: "after.mp4" }), uid: "after" },
    { ...aCopyTo(instead ?? ""), uid: "instead" },
  ];
  const named = (uid: string) => [{ element: uid }];
  const connections = [
    { from: named("source"), to: { success: named("refused") } },
    { from: named("refused"), to: { success: named("after"), error: named("instead") } },
  ];
  const before = new Map([[`${taken}/${name}`, older]]);
  return {
    job: { ...jobOf([], [], random), payload: { elements: [sourceOf(name), ...copies], connections } },
    targets: new Map([...before, [`${instead}/${name}`, bytes]]),
    before,
  };
};
