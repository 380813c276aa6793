import { expect, test } from "vitest";
import { credentialHandlers } from "../../../coordinator/routes/credentials.ts";
import { secretWordsFor } from "../../../coordinator/secrets/secret-words.ts";
import { credentialNeeds } from "../../../coordinator/secrets/storage-keys.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import type { Credential } from "../../../shared/credentials/credentials.ts";
import type { Work } from "../../../shared/work/work.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";

const { world, farm } = useFarm();

const keys = { kind: "s3", access_key_id: "AKEY", secret_access_key: new Secret("ASECRET") } as const;
type Entry = { readonly prefix?: string; readonly nodes?: string[]; readonly credential?: Credential };
const put = (more: Entry = {}) =>
  credentialHandlers(farm()).putCredential({
    ...{ name: "topics", prefix: "https://sns.eu-west-1.amazonaws.com", credential: keys },
    ...more,
  });

const work: Work = {
  assets: {},
  outputs: {},
  steps: [
    {
      ...{ do: "request", id: "notify", method: "POST", url: "https://sns.eu-west-1.amazonaws.com/", headers: [] },
      signature: { service: "sns", region: "eu-west-1", entry: { secret: "vault/topics" } },
    },
  ],
};
// A task of a job without payloads of its own: nothing but the vault can answer.
const job = { id: 1, specs: new Map() } as unknown as Parameters<typeof secretWordsFor>[1];
const task = { element_uid: "tell" } as unknown as Parameters<typeof secretWordsFor>[2];
const words = (nodeId: number) => secretWordsFor(farm(), job, task, work, nodeId);

test("a node gets the keys of the entry that signs, beside its assignment", async () => {
  await put();
  const { id } = await world().node();
  const { "vault/topics": text } = words(id) ?? {};
  expect(JSON.parse(text?.reveal() ?? "{}")).toEqual({ accessKeyId: "AKEY", secretAccessKey: "ASECRET" });
});

test.each(["s3://archive", "https://sns.eu-west-1.amazonaws.com.evil.test", "https://sqs.eu-west-1.amazonaws.com"])(
  "an entry for %s signs nothing that goes to the topic",
  async (prefix) => {
    await put({ prefix });
    expect(words((await world().node()).id)).toEqual({});
  },
);

test("an entry of another kind signs nothing, and so does one that does not exist", async () => {
  const { id } = await world().node();
  expect(words(id)).toEqual({});
  await put({ credential: { kind: "http", username: "u", password: new Secret("p") } });
  expect(words(id)).toEqual({});
});

test("a bound entry is asked of the node, and sent to its own nodes only", async () => {
  const [own, other] = [await world().node({ name: "own" }), await world().node({ name: "other" })];
  expect(credentialNeeds(farm(), job, "tell", work)).toEqual([]);
  await put({ nodes: [String(own.id)] });
  expect(credentialNeeds(farm(), job, "tell", work)).toEqual(["credential:topics"]);
  expect([Object.keys(words(own.id) ?? {}), words(other.id)]).toEqual([["vault/topics"], {}]);
});
