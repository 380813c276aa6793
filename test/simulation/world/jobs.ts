import { aCopyTo, aFileSource, type ElementJson } from "../../helpers/farm/job-builders.ts";
import type { Random } from "../engine/random.ts";
import { bytesOfFilm, filmOf, soundStart } from "./films.ts";
import { type Connection, type Drawing, type JobPlan, jobOf, policies, type Sources, sourceOf } from "./job-plan.ts";
import { shareAt } from "./places.ts";
import { sharedTag } from "./settings.ts";
import { drawMeeting, drawRefused, drawReplacing } from "./taken-names.ts";

type JobKind = {
  readonly kind: string;
  /** The swarm that had it first. */
  readonly since: number;
  readonly draw: (drawing: Drawing) => Omit<JobPlan, "kind">;
};

/** Every draw of a job comes from its own stream, and its kind from another one. */
export const drawJob = (drawing: Drawing, swarm: number): JobPlan => {
  const { kind, draw } = drawing.random.fork("kind").one(jobKinds.filter(({ since }) => since <= swarm));
  return { kind, ...draw(drawing) };
};

/** One source that is copied to some folders of the job's own. */
const drawCopies = ({ nr, sources, random }: Drawing) => {
  const [name, bytes] = random.one([...sources]);
  const folders = Array.from({ length: random.integer(1, 3) }, (_, copy) => `${shareAt}/out/job-${nr}/${copy}`);
  const copies = folders.map((folder, copy) => ({
    ...aCopyTo(folder, { existing_files: random.one(policies) }),
    uid: `copy${copy}`,
  }));
  const connection = { from: ["source"], to: copies.map(({ uid }) => uid) };
  return {
    job: jobOf([sourceOf(name), ...copies], [connection], random),
    targets: new Map(folders.map((folder) => [`${folder}/${name}`, bytes])),
  };
};

type Feeder = { readonly uid: string; readonly files: Sources };

/** Copies of masters and of other copies; some wait for two elements and copy what both hand on. */
const drawGraph = ({ nr, sources, random }: Drawing) => {
  const masters = [...sources].slice(0, random.integer(1, 2));
  const feeders: Feeder[] = masters.map((master, at) => ({ uid: `source${at}`, files: new Map([master]) }));
  const copies: ElementJson[] = [];
  const connections: Connection[] = [];
  const targets = new Map<string, Buffer>();
  for (let left = random.integer(2, 6); left > 0; left -= 1) {
    const [one, other] = [random.one(feeders), random.one(feeders)];
    const isJoin = [...other.files.keys()].every((name) => !one.files.has(name));
    const from = isJoin ? [one, other] : [one];
    const uid = `copy${copies.length}`;
    const folder = `${shareAt}/out/job-${nr}/${uid}`;
    const files = new Map(from.flatMap((each) => [...each.files]));
    copies.push({ ...aCopyTo(folder, { existing_files: random.one(policies) }), uid });
    connections.push({ from: from.map((each) => each.uid), to: [uid] });
    for (const [name, bytes] of files) targets.set(`${folder}/${name}`, bytes);
    feeders.push({ uid, files });
  }
  const firsts = masters.map(([name], at) => sourceOf(name, `source${at}`));
  return { job: jobOf([...firsts, ...copies], connections, random), targets };
};

/** A film that is made of a master, whole or in sections of so many seconds, and then copied. */
const drawFilm =
  (isInSections: boolean) =>
  ({ nr, sources, random }: Drawing) => {
    const [name, bytes] = random.one([...sources]);
    const [made, copied] = ["film", "copy"].map((each) => `${shareAt}/out/job-${nr}/${each}`);
    const payload = {
      location: { storage_provider: "file", path: made },
      targets: [
        {
          ...{ file_pattern: "{source_basename}_made.mp4", existing_files: random.one(policies) },
          container: { kind: "mp4" },
          video: { codec: "h264", width: 320, height: 180, preset: "ultrafast", bitrate_kb: 200 },
        },
      ],
      ...(isInSections && { source_pipeline: { segmented_rendering: { duration_sec: random.integer(2, 5) } } }),
    };
    const elements = [
      sourceOf(name),
      { uid: "transcode", kind: "transcode", payload },
      aCopyTo(copied ?? "", { existing_files: random.one(policies) }),
    ];
    const film = bytesOfFilm(filmOf(bytes) ?? []);
    const shown = name.replace(".mp4", "_made.mp4");
    const connections = [
      { from: ["source"], to: ["transcode"] },
      { from: ["transcode"], to: ["copy"] },
    ];
    return {
      job: jobOf(elements, connections, random),
      targets: new Map([made, copied].map((folder) => [`${folder}/${shown}`, film])),
    };
  };

/** Different in each file, so that no copy can pass for another one. */
const aSound = (name: string, random: Random): Buffer =>
  Buffer.from(`${soundStart}${name} ${random.bytes(100).toString("hex")}`);

/** What comes into a folder while it is watched: each file begins a job that copies it. */
const drawWatch = ({ nr, random }: Drawing) => {
  const [folder, out] = ["in/watch", "out/job"].map((each) => `${shareAt}/${each}-${nr}`);
  const names = Array.from({ length: random.integer(1, 6) }, (_, at) => `dropped-${at}.wav`);
  const files = new Map(names.map((name) => [name, aSound(name, random)]));
  const watch = {
    uid: "watch",
    kind: "watchfolder",
    payload: {
      source: { storage_provider: "file", path: folder },
      settings: { interval_sec: random.integer(1, 5), recursive: true, process_existing_files: true },
    },
  };
  const copy = aCopyTo(out ?? "", { existing_files: "replace" });
  return {
    job: jobOf([watch, copy], [{ from: ["watch"], to: ["copy"] }], random),
    targets: new Map([...files].map(([name, bytes]) => [`${out}/${name}`, bytes])),
    dropped: new Map([...files].map(([name, bytes]) => [`${folder}/${name}`, bytes])),
  };
};

/** The files of a folder, some at a time, each copied and copied again. */
const drawBatches = ({ nr, random }: Drawing) => {
  const folder = `${shareAt}/in/batch-${nr}`;
  const names = Array.from({ length: random.chance(0.1) ? 0 : random.integer(1, 7) }, (_, at) => `listed-${at}.wav`);
  const files = new Map(names.map((name) => [name, aSound(name, random)]));
  const each = {
    uid: "each",
    kind: "folder_enum",
    payload: {
      source: { storage_provider: "file", path: folder },
      settings: { files_per_job: random.integer(1, 3) },
    },
  };
  const outs = ["first", "second"].slice(0, random.integer(1, 2)).map((name) => `${shareAt}/out/job-${nr}/${name}`);
  const copies = outs.map((out, at) => ({
    ...aCopyTo(out, { existing_files: random.one(policies) }),
    uid: `copy${at}`,
  }));
  const uids = ["each", ...copies.map(({ uid }) => uid)];
  const connections = uids.slice(1).map((uid, at) => ({ from: [uids[at] ?? ""], to: [uid] }));
  return {
    job: jobOf([each, ...copies], connections, random),
    targets: new Map(outs.flatMap((out) => [...files].map(([name, bytes]) => [`${out}/${name}`, bytes]))),
    // Hidden files are nobody's; without one, an empty folder would not be there.
    before: new Map(
      [...files, [".hidden", Buffer.alloc(1)] as const].map(([name, bytes]) => [`${folder}/${name}`, bytes]),
    ),
  };
};

/** A copy of a master whose address nobody can reach before the farm mounts it. */
const drawMounted = ({ nr, sources, random }: Drawing) => {
  const [name, bytes] = random.one([...sources]);
  const [prefix, folder] = [`file:///Volumes/masters-${nr}`, `${shareAt}/out/job-${nr}/mounted`];
  const elements = [aFileSource(`${prefix}/${name}`), aCopyTo(folder, { existing_files: random.one(policies) })];
  return {
    job: jobOf(elements, [{ from: ["source"], to: ["copy"] }], random),
    targets: new Map([[`${folder}/${name}`, bytes]]),
    mount: { prefix, folders: { posix: `${shareAt}/in` } },
  };
};

/** Copies whose tasks share a limit, of a source that is given with a password. */
const drawTagged = (drawing: Drawing) => {
  const { nr, sources, random } = drawing;
  const [name, bytes] = random.one([...sources]);
  const secret = `password-${nr}-${random.bytes(8).toString("hex")}`;
  const folders = Array.from({ length: random.integer(2, 4) }, (_, at) => `${shareAt}/out/job-${nr}/${at}`);
  const copies = folders.map((folder, at) => ({ ...aCopyTo(folder), uid: `copy${at}` }));
  const source = aFileSource(`file://${shareAt}/in/${name}`, { access: { username: "editor", password: secret } });
  const connection = { from: ["source"], to: copies.map(({ uid }) => uid) };
  return {
    job: { ...jobOf([source, ...copies], [connection], random), task_tags: [sharedTag] },
    targets: new Map(folders.map((folder) => [`${folder}/${name}`, bytes])),
    secret,
  };
};

export const jobKinds: readonly JobKind[] = [
  { kind: "copies", since: 1, draw: drawCopies },
  { kind: "a graph of copies", since: 2, draw: drawGraph },
  { kind: "a film", since: 2, draw: drawFilm(false) },
  { kind: "a film in sections", since: 2, draw: drawFilm(true) },
  { kind: "a watched folder", since: 3, draw: drawWatch },
  { kind: "batches of a folder", since: 3, draw: drawBatches },
  { kind: "a source that is mounted later", since: 3, draw: drawMounted },
  { kind: "tagged copies with a password", since: 3, draw: drawTagged },
  { kind: "copies that meet on one name", since: 5, draw: drawMeeting },
  { kind: "a copy over an older file", since: 5, draw: drawReplacing },
  { kind: "a copy to a name that is taken, and another one instead", since: 6, draw: drawRefused },
];
