import { z } from "zod";
import { sizeText } from "../text/size.ts";
import { plain } from "../text/width.ts";

/** The parts of a result that are shown to people. */
const mediaInfo = z.discriminatedUnion("stream_type", [
  z.looseObject({ stream_type: z.literal("ASSET"), duration: z.number().optional() }),
  z.looseObject({
    stream_type: z.literal("VIDEO"),
    codec: z.string(),
    frame_rate: z.number().optional(),
    frames: z.number().optional(),
    VIDEO: z.looseObject({ width: z.number(), height: z.number() }),
  }),
  z.looseObject({
    stream_type: z.literal("AUDIO"),
    codec: z.string(),
    AUDIO: z.looseObject({ nr_channels: z.number() }),
  }),
]);

const component = z.looseObject({
  name: z.string(),
  url: z.string().optional(),
  descriptor: z.looseObject({ size: z.number().optional() }),
  media_analyze: z.looseObject({ media_info: z.array(mediaInfo) }).optional(),
});
export type Component = z.output<typeof component>;

const version = z.looseObject({
  version_uid: z.string(),
  location: z.looseObject({ path: z.string() }),
  asset_components: z.array(component),
});

const payload = z.looseObject({ asset_versions: z.array(version) });

const result = z.looseObject({
  job: z.looseObject({ id: z.number(), name: z.string(), status: z.string(), substatus: z.string().nullable() }),
  errors: z.array(z.looseObject({ task_instance_id: z.number(), message: z.string() })),
  tasks: z.array(
    z.looseObject({
      kind: z.string(),
      documents: z.array(z.looseObject({ result_payload: z.looseObject({ payload }) })),
    }),
  ),
});

/** Whether tasks of this kind make files; others only read them. */
export const makesFiles = (kind: string): boolean => !["Source", "Source Provider", "Probe"].includes(kind);

/** The outputs of all tasks of these kinds, in order. */
export const readVersions = (document: unknown, kind: (kind: string) => boolean) =>
  result
    .parse(document)
    .tasks.filter((task) => kind(task.kind))
    .flatMap(({ documents }) => documents.flatMap((each) => each.result_payload.payload.asset_versions));

/** Summarizes a result in a few lines: state, outputs and errors. */
export const describeResult = (document: unknown): string => {
  const { job, errors } = result.parse(document);
  const made = readVersions(document, makesFiles).flatMap(describeVersion);
  const problems = errors.map(({ message, task_instance_id: task }) => `  task ${task}: ${plain(message)}`);
  const headline = `Job ${job.id} ${job.status}${job.substatus ? ` (${job.substatus})` : ""}: ${plain(job.name)}`;
  return `${[headline, ...made, ...problems].join("\n")}\n`;
};

/** One line per file; for a long sequence the first file and the count. */
const describeVersion = ({ location, asset_components: files }: z.output<typeof version>): string[] => {
  const [first] = files;
  if (first && files.length > 3) return [`  ${plain(`${location.path}/${first.name}`)} … ${files.length} files`];
  return files.map(
    (file) =>
      `  ${plain(`${location.path}/${file.name}`)}  ${[sizeText(file.descriptor.size), ...facts(file)].join(", ")}`,
  );
};

const facts = ({ media_analyze }: Component): string[] =>
  (media_analyze?.media_info ?? []).flatMap((each) => {
    if (each.stream_type === "ASSET") return each.duration === undefined ? [] : [`${each.duration.toFixed(2)} s`];
    if (each.stream_type === "AUDIO") return [`${each.codec} ${each.AUDIO.nr_channels} ch`];
    const frames = each.frames === undefined ? "" : ` ${each.frames} frames`;
    return [`${each.codec} ${each.VIDEO.width}x${each.VIDEO.height}${frames}`];
  });
