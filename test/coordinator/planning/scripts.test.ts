import { expect, test } from "vitest";
import { aConnection, aReport, aSource } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";
import { submitJob } from "../../helpers/farm/submit-job.ts";

const { world, farm, submit, report } = useFarm();

const capabilities = ["ffmpeg", "ffprobe", "javascript", "request"];
const aNode = () => world().node({ tools: { ffmpeg: null, ffprobe: null, capabilities } });

const aScript = (more: object = {}) => ({
  uid: "decide",
  kind: "script",
  payload: { kind: "javascript", payload: { code: "x", variables: ["folder", "name"], ...more } },
});

const aCopyTo = (path: string, file_pattern: string) => ({
  uid: "copy",
  kind: "copy",
  payload: { target: { location: { storage_provider: "file", path }, file_pattern } },
});

const aScriptedJob = (definitions: object, copy = aCopyTo("{{folder}}", "{{name}}_{source_name}")) => ({
  name: "a job",
  definitions,
  payload: {
    elements: [aSource(), aScript(), copy],
    connections: [aConnection("src", ["decide"]), aConnection("decide", ["copy"])],
  },
});

/** Runs the job as far as its copy, the script having set these. */
const copyAfter = async (variables: object, job: Record<string, unknown>) => {
  const node = await aNode();
  await submit(job);
  await report(node, aReport(await node.assigned()));
  const script = await node.assigned();
  const results = { script: { kind: "script", value: { variables, log: [] } } };
  const published = { outputs: {}, found: {}, results } as never; // JSON
  await report(node, aReport(script, { outcome: { outcome: "published", published } }));
  return { script, copy: await node.assigned() };
};

test("a script sees its job's source, and the variables that it sets fill the definitions of what follows", async () => {
  const { script, copy } = await copyAfter({ folder: "/out/b" }, aScriptedJob({ folder: "/out", name: "first" }));
  const [step] = script.work.steps;
  expect(step).toMatchObject({ do: "javascript", code: "x", variables: ["folder", "name"], timeoutMs: 10_000 });
  expect(step?.do === "javascript" && JSON.parse(step.input)).toMatchObject({
    element: "decide",
    job: { id: 1, name: "a job", user_tag: null },
    source: [{ url: "file:///media/in.mov", name: "in.mov", media: { container: { kind: "mov" }, video: [] } }],
    failures: [],
  });
  expect(Object.values(copy.work.outputs)).toMatchObject([{ folder: "file:///out/b", name: "first_in.mov" }]);
});

test("a definition that is made of a variable follows it", async () => {
  const definitions = { folder: "/out/{{name}}", name: "first" };
  const { copy } = await copyAfter(
    { name: "second" },
    aScriptedJob(definitions, aCopyTo("/out/{{name}}", "{{name}}.mov")),
  );
  expect(Object.values(copy.work.outputs)).toMatchObject([{ folder: "file:///out/second", name: "second.mov" }]);
});

test("without a word of the script the job's own definitions count", async () => {
  const { copy } = await copyAfter({}, aScriptedJob({ folder: "/out", name: "first" }));
  expect(Object.values(copy.work.outputs)).toMatchObject([{ folder: "file:///out", name: "first_in.mov" }]);
});

test("a variable that does not fit fails the element that uses it, by its field", async () => {
  const node = await aNode();
  const copy = aCopyTo("/out", "x");
  const options = { multi_file_concurrency: "{{count}}" };
  const job = {
    name: "a job",
    definitions: { count: 2 },
    payload: {
      elements: [aSource(), aScript({ variables: ["count"] }), { ...copy, payload: { ...copy.payload, options } }],
      connections: [aConnection("src", ["decide"]), aConnection("decide", ["copy"])],
    },
  };
  const id = await submit(job);
  await report(node, aReport(await node.assigned()));
  const script = await node.assigned();
  const results = { script: { kind: "script", value: { variables: { count: "many" }, log: [] } } };
  const published = { outputs: {}, found: {}, results } as never; // JSON
  await report(node, aReport(script, { outcome: { outcome: "published", published } }));
  expect(world().job(id)?.error).toMatch(
    /^copy: copy\.payload\.options\.multi_file_concurrency .*, as a script has set it$/,
  );
});

test("a script names definitions that the job has, and elements that are there", async () => {
  await expect(submitJob(farm(), aScriptedJob({ folder: "/out" }))).rejects.toThrow('"{{name}}" is used');
  await expect(submitJob(farm(), aScriptedJob({ folder: "/out", name: {} }))).rejects.toThrow(
    '"name" is set by a script: it needs a text, a number or a boolean to begin with',
  );
  const modifiers = [{ kind: "transcode_auto_split", target_element_uid: "nobody", mode: "smart" }];
  const job = {
    payload: { elements: [{ uid: "s", kind: "script", payload: { kind: "job_modifier", payload: { modifiers } } }] },
  };
  await expect(submitJob(farm(), { name: "a job", ...job })).rejects.toMatchObject({
    details: [
      {
        path: "payload.elements[0].payload.payload.modifiers[0].target_element_uid",
        message: 'there is no element with uid "nobody"',
      },
    ],
  });
});

test("what opens storage cannot be set by a script", async () => {
  const copy = aCopyTo("/out", "x");
  const location = { storage_provider: "s3", path: "s3://b", access: { secret: "{{name}}" } };
  const job = aScriptedJob({ folder: "/out", name: "x" }, {
    ...copy,
    payload: { target: { location, file_pattern: "x" } },
  } as never);
  await expect(submitJob(farm(), job)).rejects.toThrow("copy: what opens something cannot hold a variable");
});

test("the name of a field cannot be set by a script", async () => {
  const target = { location: { storage_provider: "file", path: "/out" }, file_pattern: "x", "{{name}}": 1 };
  const job = aScriptedJob({ folder: "/out", name: "x" }, { ...aCopyTo("/out", "x"), payload: { target } } as never);
  await expect(submitJob(farm(), job)).rejects.toThrow("copy: the name of a field cannot hold a variable");
});

test("a change of a later transcode is said to have no effect where there is none", async () => {
  const node = await aNode();
  const modifiers = [{ kind: "transcode_segmented_rendering", target_element_uid: "tc", duration_sec: "180" }];
  const id = await submit({
    name: "a job",
    payload: {
      elements: [
        aSource(),
        { uid: "split", kind: "script", payload: { kind: "job_modifier", payload: { modifiers } } },
        {
          uid: "tc",
          kind: "transcode",
          payload: {
            location: { path: "/out" },
            targets: [{ file_pattern: "x.wav", container: { kind: "wav" }, audio: [{ codec: "pcm" }] }],
          },
        },
      ],
      connections: [aConnection("src", ["split"]), aConnection("split", ["tc"])],
    },
  });
  const audio = [
    {
      index: 0,
      codec: "aac",
      timeBase: { num: 1, den: 48000 },
      channels: 2,
      sampleRate: 48000,
      duration: { num: 5, den: 1 },
    },
  ];
  const facts = { format: "mov", duration: { num: 5, den: 1 }, size: 1000, video: [], audio, others: [] };
  await report(node, aReport(await node.assigned(), { facts }));
  expect(stored(farm()).graph(id).warnings).toContain("tc: it is made in one piece, since no picture is encoded");
  expect(world().tasks(id)).toEqual(["src facts completed", "tc work ready"]);
});
