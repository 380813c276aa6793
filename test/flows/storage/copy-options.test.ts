import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aFolder } from "../../helpers/agent/agent-fixture.ts";
import type { ElementJson, Job } from "../../helpers/farm/job-builders.ts";
import { share } from "../../helpers/long.ts";
import { type FarmProcesses, startFarm } from "../../helpers/processes/farm-processes.ts";
import { type ServerKind, serverKinds, startServers } from "../../servers/index.ts";
import type { TestServer } from "../../servers/server.ts";

const kinds = serverKinds("copies with options");

/** What a case is told: where its files are, by their last words. */
type Place = { readonly at: (name: string) => string; readonly folder: string; readonly access: object };
type Case = {
  readonly name: string;
  /** Files that are there before: each holds its own name, so that bytes tell where they came from. */
  readonly before: readonly string[];
  /** What sources lead into, if there are sources. */
  readonly job: (place: Place) => { readonly sources: readonly string[]; readonly next: readonly ElementJson[] };
  readonly status?: "completed" | "failed";
  /** Content of files afterwards; undefined: it is not there. */
  readonly after: Readonly<Record<string, string | undefined>>;
  /** Other ends, for storage that cannot do it. */
  readonly except?: Partial<Record<ServerKind, Pick<Case, "status" | "after">>>;
};

const copyTo = ({ folder, access }: Place, options: object, target: object = {}): ElementJson => ({
  uid: "copy",
  kind: "copy",
  payload: { target: { location: { path: folder, access }, file_pattern: "to_{source_name}", ...target }, options },
});
const deleteAsset = (payload: object): ElementJson => ({ uid: "clear", kind: "delete_asset", payload });

const both = { before: ["a.bin", "b.bin"] };
const copied = (options: object) => ({
  ...both,
  job: (place: Place) => ({ sources: ["a.bin", "b.bin"], next: [copyTo(place, options)] }),
});
const overExisting = (existing_files: string) => ({
  before: ["a.bin", "to_a.bin"],
  job: (place: Place) => ({ sources: ["a.bin"], next: [copyTo(place, {}, { existing_files })] }),
});

const all: readonly Case[] = [
  {
    name: "use_all copies every file",
    ...copied({ multi_source_mode: "use_all", multi_file_concurrency: 2, throttle_byte_per_sec: "100000" }),
    after: { "to_a.bin": "a.bin", "to_b.bin": "b.bin", "a.bin": "a.bin", "b.bin": "b.bin" },
  },
  {
    name: "concatenate joins them under the first one's name",
    ...copied({ multi_source_mode: "concatenate" }),
    after: { "to_a.bin": "a.binb.bin", "to_b.bin": undefined },
  },
  {
    name: "use_first copies one, and a move deletes only that one",
    ...copied({ multi_source_mode: "use_first", delete_source_on_completion: true }),
    after: { "to_a.bin": "a.bin", "to_b.bin": undefined, "a.bin": undefined, "b.bin": "b.bin" },
  },
  {
    name: "delete_sources deletes also what was not copied",
    ...copied({ multi_source_mode: "use_first", delete_sources: true }),
    after: { "to_a.bin": "a.bin", "to_b.bin": undefined, "a.bin": undefined, "b.bin": undefined },
  },
  {
    name: "an existing file is kept, and the sources with it",
    ...overExisting("fail"),
    status: "failed",
    after: { "to_a.bin": "to_a.bin", "a.bin": "a.bin" },
  },
  { name: "an existing file is replaced", ...overExisting("replace"), after: { "to_a.bin": "a.bin" } },
  {
    name: "an existing file is deleted, then replaced",
    ...overExisting("delete_and_replace"),
    after: { "to_a.bin": "a.bin" },
  },
  {
    name: "a new name is found beside an existing file",
    ...overExisting("rename_new"),
    after: { "to_a.bin": "to_a.bin", "to_a_1.bin": "a.bin" },
  },
  {
    name: "an existing file gets out of the way",
    ...overExisting("rename_org"),
    after: { "to_a.bin": "a.bin", "to_a_org_1.bin": "to_a.bin" },
    except: { s3: { status: "failed", after: { "to_a.bin": "to_a.bin", "a.bin": "a.bin" } } },
  },
  {
    name: "a named file is deleted, and nothing else",
    ...both,
    job: ({ at, access }) => ({
      sources: [],
      next: [deleteAsset({ asset_selector: "config", location: { url: at("a.bin"), access } })],
    }),
    after: { "a.bin": undefined, "b.bin": "b.bin" },
  },
  {
    name: "what came in is deleted",
    ...both,
    job: () => ({ sources: ["a.bin", "b.bin"], next: [deleteAsset({ asset_selector: "workflow_document" })] }),
    after: { "a.bin": undefined, "b.bin": undefined },
  },
  {
    name: "a folder whose name is not repeated stays",
    before: ["a.bin"],
    job: ({ folder, access }) => ({
      sources: [],
      next: [deleteAsset({ asset_selector: "config", location: { path: folder, access } })],
    }),
    status: "failed",
    after: { "a.bin": "a.bin" },
  },
  {
    name: "a folder whose name is repeated goes with all that is in it",
    before: ["a.bin"],
    job: (place) => ({
      sources: ["a.bin"],
      next: [
        copyTo({ ...place, folder: place.at("gone") }, {}),
        deleteAsset({
          asset_selector: "config",
          location: { path: place.at("gone"), access: place.access },
          delete_folder_acknowledgement: place.at("gone").split("/").at(-1),
        }),
      ],
    }),
    after: { "gone/to_a.bin": undefined, "a.bin": "a.bin" },
  },
];

/** The first kind of server, and in `.ci/run` another one by the turn. */
const chosen = share(kinds, (_, at) => at === 0, kinds.length);

const connect = (from: string, to: string) => ({ from: [{ element: from }], to: { success: [{ element: to }] } });

const jobOf = ({ name, job }: Case, place: Place): Job => {
  const { sources, next } = job(place);
  const payload = (file: string) => ({ kind: "asset_url", payload: { url: place.at(file), access: place.access } });
  const starts = sources.map((file, index) => ({ uid: `source_${index}`, kind: "source", payload: payload(file) }));
  const [first, ...others] = next.map(({ uid }) => uid);
  const connections = [
    ...(first === undefined ? [] : starts.map(({ uid }) => connect(uid, first))),
    ...others.map((uid, index) => connect([first, ...others][index] ?? "", uid)),
  ];
  return { name, payload: { elements: [...starts, ...next], connections } };
};

describe.each(chosen)("copies and deletions on a real server of %s", (kind) => {
  let folder: Awaited<ReturnType<typeof aFolder>>;
  let started: Awaited<ReturnType<typeof startServers>>;
  let farm: FarmProcesses;
  let server: TestServer;

  beforeAll(async () => {
    folder = await aFolder();
    [started, farm] = await Promise.all([startServers(folder.path, [kind]), startFarm()]);
    const own = started.servers[kind];
    if (!own) throw new Error(`There is no server of ${kind}`);
    server = own;
    await farm.client.changeOutbound({ add: ["127.0.0.1"] });
    await farm.client.putCredential({ name: kind, prefix: server.folder, credential: server.credential });
    await farm.startAgent();
  }, 120_000);
  afterAll(async () => {
    await farm?.[Symbol.asyncDispose]();
    await started?.stop();
    await folder?.remove();
  });

  test.each(all.map((each, index) => [each.name, each, index] as const))("%s", async (_name, each, index) => {
    const own = (name: string): string => name.replace(/(^|\/)(to_)?/g, `$1$2${index}-`);
    for (const name of each.before) await server.put(own(name), Buffer.from(name));
    const at = (name: string): string => `${server.folder}/${own(name)}`;
    const place = { at, folder: server.folder, access: { credentials_key: kind } };
    const id = await farm.submit(jobOf(each, place));
    const { status, error } = await farm.untilEnded(id);
    const { status: wanted = "completed", after } = each.except?.[kind] ?? each;
    const found = Object.fromEntries(
      await Promise.all(Object.keys(after).map(async (name) => [name, (await server.get(own(name)))?.toString()])),
    );
    expect({ status, error, found }).toEqual({
      ...{ status: wanted, error: wanted === "failed" ? expect.any(String) : null },
      found: after,
    });
  });
});
