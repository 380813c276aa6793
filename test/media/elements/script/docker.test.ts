import { expect, test } from "vitest";
import type { PlanContext } from "../../../../media/elements/element.ts";
import { script } from "../../../../media/elements/script/index.ts";
import { TaskError } from "../../../../shared/model/failure.ts";

const context = (docker: object): PlanContext<unknown> => ({
  uid: "run",
  payload: script.payload.parse({ kind: "docker", payload: docker }),
  job: { id: 7, name: "a job" },
  inputs: [{ version: "v", files: [{ uri: "file:///in/a%20film.mov", size: 5 }] }],
  source: [],
  assetsOf: (uid) =>
    uid === "other" ? [{ version: "o", files: [{ uri: "file:///o/1.png" }, { uri: "file:///o/2.png" }] }] : undefined,
  factsOf: () => undefined,
});

const compiled = (docker: object) => {
  const it = context(docker);
  const plan = script.plan(it);
  if (!("tasks" in plan) || !plan.tasks[0]) throw new Error("it plans nothing");
  return { task: plan.tasks[0], work: script.compile(plan.tasks[0], it) };
};

const problem = (docker: object): string => {
  try {
    compiled(docker);
    return "no problem";
  } catch (error) {
    return error instanceof TaskError ? `${error.failure.cause}: ${error.message}` : String(error);
  }
};

test("sources and targets have places inside of the container, and arguments name them", () => {
  const { task, work } = compiled({
    sources: [{ source_reference: "other", placeholder: "input_folder" }],
    targets: [
      {
        placeholder: "output1",
        location: { path: "/out" },
        file_pattern: "{source_basename}.mp4",
        size_hint: "{source_size}",
      },
    ],
    commands: [
      {
        docker_image: {
          image_urn: "jrottenberg/ffmpeg:centos",
          registry: { kind: "dockerhub", access: { username: "u", password: "p" } },
        },
        args: ["-i", "{source_0_0}", "-x", "dir={input_folder}/%d.png", "{nobody}", "{output1}"],
        preserve_stdout: true,
      },
      {
        docker_image: { image_urn: "registry.studio.lan:5000/tool" },
        shell: "ls {input_folder}",
        ignore_exit_code: "true",
        env: { A: "b" },
      },
    ],
  });
  expect(task).toMatchObject({
    requires: ["container", "container:secret-env"],
    demand: { cores: 2, memory: 2048 * 1024 * 1024 },
  });
  const access = "payload/commands/0/docker_image/registry/access";
  expect(work).toEqual({
    assets: { 0: { uri: "file:///in/a%20film.mov" }, 1: { uri: "file:///o/1.png" }, 2: { uri: "file:///o/2.png" } },
    outputs: {
      0: { version: "output1", folder: "file:///out", name: "a film.mp4", isSequence: false, existing: "replace" },
    },
    steps: [
      {
        ...{ do: "container", id: "container", cpus: 2, memoryBytes: 2048 * 1024 * 1024 },
        inputs: [
          { asset: "0", at: "/in/0_0/a film.mov" },
          { asset: "1", at: "/in/input_folder/1.png" },
          { asset: "2", at: "/in/input_folder/2.png" },
        ],
        outputs: [{ out: "0", at: "/out/0/a film.mp4" }],
        commands: [
          {
            ...{
              image: "docker.io/jrottenberg/ffmpeg:centos",
              ignoresExitCode: false,
              keepsStdout: true,
              keepsStderr: false,
            },
            args: ["-i", "/in/0_0/a film.mov", "-x", "dir=/in/input_folder/%d.png", "{nobody}", "/out/0/a film.mp4"],
            registry: {
              host: "docker.io",
              username: { secret: `${access}/username` },
              password: { secret: `${access}/password` },
            },
          },
          {
            ...{
              image: "registry.studio.lan:5000/tool",
              ignoresExitCode: true,
              keepsStdout: false,
              keepsStderr: false,
            },
            ...{
              args: ["-c", "ls /in/input_folder"],
              entrypoint: "/bin/sh",
              env: { A: { secret: "payload/commands/1/env/A" } },
            },
          },
        ],
      },
    ],
  });
});

test.each([
  [
    { commands: [{ docker_image: { image_urn: "dv_toolkit", registry: { kind: "hybrik" }, license: "dolby" } }] },
    'capability: run.payload.payload.commands[0]: dv_toolkit is an image of the vendor\'s own under the licence "dolby"',
  ],
  [
    { commands: [{ docker_image: { image_urn: "a/b" }, command: "ls" }] },
    "capability: run.payload.payload.commands[0].command is not supported: use args or shell",
  ],
  [
    { targets: [{ location: { path: "/o" } }], commands: [{ docker_image: { image_urn: "a/b" } }] },
    "definition: run.payload.payload.targets[0].file_pattern is missing",
  ],
])("%j is refused: %s", (docker, message) => {
  expect(problem(docker)).toBe(message);
});

test("texts of a source are there too, after its films", () => {
  const it = context({ commands: [{ docker_image: { image_urn: "a/b" }, args: ["{source_0_1}"] }] });
  const [film] = it.inputs;
  if (!film) throw new Error("the context has no film");
  const texts = [{ uri: "file:///in/a.srt", kind: "subtitle" as const }];
  const withTexts = { ...it, inputs: [{ ...film, sidecars: texts }] };
  const plan = script.plan(withTexts);
  if (!("tasks" in plan) || !plan.tasks[0]) throw new Error("it plans nothing");
  const [step] = script.compile(plan.tasks[0], withTexts).steps;
  expect(step).toMatchObject({ commands: [{ args: ["/in/0_1/a.srt"] }] });
});

test("only nodes that know secrets in the environment are given a container that has any", () => {
  const needs = (...commands: object[]) => {
    const plan = script.plan(context({ commands: commands.map((each) => ({ docker_image: image, ...each })) }));
    return "tasks" in plan ? plan.tasks[0]?.requires : undefined;
  };
  const image = { image_urn: "a/b" };
  expect(needs({}, { env: {} })).toEqual(["container"]);
  expect(needs({}, { env: { TOKEN: "secret" } })).toEqual(["container", "container:secret-env"]);
});

test("a recursive target is a folder, of which a wildcard may select files", () => {
  const commands = [{ docker_image: { image_urn: "a/b" }, args: ["--to", "{frames}"] }];
  const target = { placeholder: "frames", location: { path: "/out" }, recursive: true };
  const { task, work } = compiled({
    commands,
    targets: [target, { ...target, placeholder: "x", file_pattern: "*.png" }],
  });
  expect(task.requires).toEqual(["container", "container:folders"]);
  expect(work.outputs).toMatchObject({ 0: { version: "frames", folder: "file:///out", name: "frames", isTree: true } });
  expect(work.steps).toMatchObject([
    {
      commands: [{ args: ["--to", "/out/0"] }],
      outputs: [
        { out: "0", at: "/out/0", names: "*" },
        { out: "1", at: "/out/1", names: "*.png" },
      ],
    },
  ]);
});
