import { aChain, aCopyTo, aFileSource, type ElementJson, type Job } from "../../helpers/farm/job-builders.ts";
import type { Random } from "../engine/random.ts";
import type { FolderNode, Volume } from "../system/volume.ts";
import { bytesOfFilm, filmOf, mediaStart } from "./films.ts";
import { shareAt } from "./places.ts";

/** A job as it is sent, and what it shows if it completes: whole files by their paths, and no others beside them. */
export type JobPlan = {
  readonly kind: string;
  readonly job: Job;
  readonly targets: ReadonlyMap<string, Buffer>;
};

/** Masters on the share, there before anything begins. */
export type Sources = ReadonlyMap<string, Buffer>;

export const makeSources = (share: Volume, random: Random, count: number): Sources => {
  const folder = makeFolderIn(share.root, "in");
  makeFolderIn(share.root, "out");
  return new Map(
    Array.from({ length: count }, (_, nr) => {
      const words = random.bytes(random.integer(10, 200)).toString("hex").repeat(random.integer(1, 200));
      const bytes = Buffer.from(mediaStart + words);
      const file = share.newFile(0o644);
      const name = `master-${nr}.mp4`;
      share.change([{ folder, name, node: file }]);
      share.write(file, bytes);
      share.flushFile(file);
      return [name, bytes] as const;
    }),
  );
};

const makeFolderIn = (folder: FolderNode, name: string): FolderNode => {
  const node = folder.volume.newFolder(0o755);
  folder.volume.change([{ folder, name, node }]);
  return node;
};

type Drawing = { readonly nr: number; readonly sources: Sources; readonly random: Random };
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

const policies = ["fail", "replace", "rename_new"] as const;

type Connection = { readonly from: readonly string[]; readonly to: readonly string[] };

const jobOf = (elements: readonly ElementJson[], connections: readonly Connection[], random: Random): Job => {
  const named = (uids: readonly string[]) => uids.map((uid) => ({ element: uid }));
  return {
    ...aChain([], { task_retry: { count: 1000, delay_sec: random.integer(0, 2) } }),
    payload: {
      elements: [...elements],
      connections: connections.map(({ from, to }) => ({ from: named(from), to: { success: named(to) } })),
    },
  };
};

const sourceOf = (name: string, uid = "source"): ElementJson => ({
  ...aFileSource(`file://${shareAt}/in/${name}`),
  uid,
});

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

export const jobKinds: readonly JobKind[] = [
  { kind: "copies", since: 1, draw: drawCopies },
  { kind: "a graph of copies", since: 2, draw: drawGraph },
  { kind: "a film", since: 2, draw: drawFilm(false) },
  { kind: "a film in sections", since: 2, draw: drawFilm(true) },
];
