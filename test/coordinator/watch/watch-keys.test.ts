import { expect, test } from "vitest";
import { takeMessage } from "../../../coordinator/connections/messages.ts";
import { stopJob } from "../../../coordinator/jobs/stop.ts";
import { submitJob } from "../../../coordinator/jobs/submit.ts";
import { listWatches } from "../../../coordinator/views/watch-view.ts";
import type { ReachKind } from "../../../shared/people/scopes.ts";
import { reachOf } from "../../../shared/rights/reach.ts";
import type { FolderFile } from "../../../shared/work/folder-watch.ts";
import { turns } from "../../helpers/clock.ts";
import { aConnection, aCopy } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, advance } = useFarm();

type User = { readonly id: number; readonly reach: ReachKind; readonly group: string };

/** Somebody who sends jobs over the API. */
const aUser = async (name: string, reach: ReachKind, group = "studio"): Promise<User> => {
  const auth_key = `api_${name}`;
  const made = { auth_key, secretHash: name, name, created: 0, expires: null, scopes: [], reach, group };
  await farm().store.accounts.createUser(made, 100);
  const user = await farm().store.accounts.user(auth_key);
  return { id: user?.id ?? 0, reach, group };
};

const watch = async ({ id, reach, group }: User, key: string, source = "/in"): Promise<number> => {
  const who = `api user ${id}`;
  const elements = [
    { uid: "watch", kind: "watchfolder", payload: { source: { path: source }, settings: { interval_sec: 10, key } } },
    aCopy(),
  ];
  const job = { name: who, payload: { elements, connections: [aConnection("watch", ["copy"])] } };
  const sender = {
    owner: who,
    owner_id: who,
    owner_group: group,
    origin: "api",
    parent_id: null,
    traceparent: null,
  } as const;
  return (await submitJob(farm(), job, undefined, { sender, reach: reachOf(who, { reach, group }) })).id;
};

const file = (name: string): FolderFile => ({ uri: `file:///in/${name}`, size: 10, modified: 10 });

const lies = async (node: FakeNode, there: readonly FolderFile[], seconds: number) => {
  for (let second = 0; second < seconds; second += 1) {
    await takeMessage(farm(), node.id, { type: "heartbeat" });
    await advance(1000);
    for (const message of await node.take()) {
      if (message.type !== "poll") continue;
      const files = message.request.what === "folder" && message.request.folder === "file:///in" ? [...there] : [];
      const response = { what: "folder", files, isLast: true } as const;
      await takeMessage(farm(), node.id, { type: "polled", id: message.id, response });
      await turns();
    }
  }
};

const seen = async (job: number) =>
  (await listWatches(farm(), job, { skip: 0, take: 100 })).flatMap(({ files }) => files.map(({ uri }) => uri));
const children = (): string[] =>
  stored(farm())
    .all<{ name: string }>("SELECT name FROM jobs WHERE parent_id IS NOT NULL ORDER BY name")
    .map(({ name }) => name);

test("a key is its owner's: who names another's key neither reads the files of that watch nor takes them away from it", async () => {
  const node = await world().node({ slots: 0 });
  const [ana, mallory] = [await aUser("ana", "own"), await aUser("mallory", "own", "far")];
  const hers = await watch(ana, "dailies");
  await lies(node, [], 3);
  await lies(node, [file("a.mov")], 20);
  const his = await watch(mallory, "dailies", "/nothing");
  expect(await seen(his)).toEqual([]);
  await stopJob(farm(), his);
  await stopJob(farm(), hers);
  // What lies there at his first look is known to him, and begins hers all the same.
  const again = await watch(mallory, "dailies");
  await lies(node, [file("a.mov"), file("b.mov")], 20);
  await stopJob(farm(), again);
  const next = await watch(ana, "dailies");
  await lies(node, [file("a.mov"), file("b.mov")], 20);
  expect(children()).toEqual(["api user 1: a.mov", "api user 1: b.mov"]);
  expect(await seen(next)).toEqual(expect.arrayContaining(["file:///in/a.mov", "file:///in/b.mov"]));
});

test("no key is spelt so that it is another's", async () => {
  const node = await world().node({ slots: 0 });
  const [ana, mallory] = [await aUser("ana", "own"), await aUser("mallory", "own", "far")];
  await watch(ana, "dailies");
  await lies(node, [], 3);
  await lies(node, [file("a.mov")], 20);
  const names = stored(farm())
    .all<{ watch: string }>("SELECT DISTINCT watch FROM watched_files")
    .map(({ watch: name }) => name);
  expect(names).toHaveLength(1);
  for (const key of [...names, ...names.map((name) => name.replace("key:", "")), '"dailies"'])
    expect(await seen(await watch(mallory, key, "/nothing"))).toEqual([]);
});

test("a group shares its keys, and whoever reaches all shares those of the farm's pair, also once it is revoked", async () => {
  const node = await world().node({ slots: 0 });
  for (const reach of ["group", "all"] as const) {
    const [first, second] = [await aUser(`1 ${reach}`, reach), await aUser(`2 ${reach}`, reach)];
    const begun = await watch(first, reach);
    await lies(node, [], 3);
    await lies(node, [file(`${reach}.mov`)], 20);
    await farm().store.accounts.revokeUser(`api_1 ${reach}`, 1);
    const also = await watch(second, reach);
    for (const job of [begun, also]) expect(await seen(job)).toEqual([`file:///in/${reach}.mov`]);
  }
  expect(stored(farm()).all("SELECT DISTINCT watch FROM watched_files WHERE watch = 'key:all'")).toHaveLength(1);
});
