import { expect, test } from "vitest";
import { changeNode } from "../../../coordinator/nodes/change-node.ts";
import { putComputeGroup } from "../../../coordinator/nodes/compute-groups.ts";
import { credentialHandlers } from "../../../coordinator/routes/credentials.ts";
import { answerKeys } from "../../../coordinator/secrets/storage-keys.ts";
import { explain } from "../../../coordinator/views/explain.ts";
import { aSmallJob, aSource } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";
import { readCredential } from "../../helpers/secrets/credentials.ts";

const { world, farm, submit, restart } = useFarm();

const tools = { ffmpeg: null, ffprobe: null, capabilities: ["ffmpeg", "ffprobe", "storage:s3"] };
const credential = readCredential({ kind: "s3", access_key_id: "AKEY", secret_access_key: "ASECRET" });
const put = (bound: { nodes?: string[]; groups?: string[] }) =>
  credentialHandlers(farm()).putCredential({ name: "archive", prefix: "s3://archive", credential, ...bound });
const fromArchive = () => {
  const payload = { kind: "asset_url", payload: { storage_provider: "s3", url: "s3://archive/in.mov" } };
  return submit(aSmallJob({ payload: { elements: [aSource({ payload })] } }));
};

test("a task that needs a bound entry is given to a node that may use it, also after a restart; the explanation says so", async () => {
  const [other, own] = [await world().node({ name: "other", tools }), await world().node({ name: "own", tools })];
  await put({ nodes: [String(own.id)] });
  await changeNode(farm(), own.id, { state: "paused" });
  const id = await fromArchive();
  expect(await other.take()).toEqual([]);
  const [task] = stored(farm()).tasks(id);
  expect(
    task && explain(farm(), task, "all").nodes.map(({ name, reasons }) => [name, reasons.map(({ reason }) => reason)]),
  ).toEqual([
    ["own", ["node_paused"]],
    ["other", ["credential_bound"]],
  ]);
  await restart();
  const [again, ownAgain] = [world().connect(other.id), world().connect(own.id)];
  await changeNode(farm(), own.id, { state: "active" });
  expect(await ownAgain.assigned()).toMatchObject({ keys: [{ prefix: "s3://archive", credential }] });
  expect(await again.take()).toEqual([]);
});

test("an entry that is bound to a group follows the group's nodes", async () => {
  await putComputeGroup(farm(), { name: "studio", provided_tags: [], mandatory_tags: [] });
  const [other, own] = [await world().node({ name: "other", tools }), await world().node({ name: "own", tools })];
  await put({ groups: ["studio"] });
  await fromArchive();
  expect([await other.take(), await own.take()]).toEqual([[], []]);
  await changeNode(farm(), own.id, { group: "studio" });
  expect(await own.assigned()).toMatchObject({ keys: [{ credential }] });
});

test("a node that declares that it may use an entry may not", async () => {
  const liar = await world().node({ tools: { ...tools, capabilities: [...tools.capabilities, "credential:archive"] } });
  await put({ nodes: ["77"] });
  await fromArchive();
  expect(await liar.take()).toEqual([]);
});

test("an entry that is bound while a task of another node runs is not sent to that node again", async () => {
  const node = await world().node({ tools });
  await put({});
  await fromArchive();
  const { fence, keys } = await node.assigned();
  expect(keys).toHaveLength(1);
  await put({ nodes: ["77"] });
  await answerKeys(farm(), node.id, fence);
  expect(await node.take()).toEqual([expect.objectContaining({ type: "keys", keys: [] })]);
});
