import { z } from "zod";

/** The parts of a result that people read. */
const result = z.looseObject({
  job: z.looseObject({ id: z.number(), name: z.string(), status: z.string(), substatus: z.string().nullable() }),
  errors: z.array(z.looseObject({ task_instance_id: z.number(), message: z.string() })),
  tasks: z.array(
    z.looseObject({
      kind: z.string(),
      documents: z.array(
        z.looseObject({
          result_payload: z.looseObject({
            payload: z.looseObject({
              asset_versions: z.array(
                z.looseObject({
                  location: z.looseObject({ path: z.string() }),
                  asset_components: z.array(z.looseObject({ name: z.string(), descriptor: z.looseObject({ size: z.number().optional() }) })),
                }),
              ),
            }),
          }),
        }),
      ),
    }),
  ),
});

/** A result as a few lines for people: how it ended, what was made, what went wrong. */
export const describeResult = (document: unknown): string => {
  const { job, errors, tasks } = result.parse(document);
  const made = tasks
    .filter(({ kind }) => kind !== "Source")
    .flatMap(({ documents }) => documents.flatMap((each) => each.result_payload.payload.asset_versions));
  const files = made.flatMap(({ location, asset_components: files }) =>
    files.slice(0, 20).map(({ name, descriptor }) => `  ${location.path}/${name}${sizeText(descriptor.size)}`),
  );
  const problems = errors.map(({ message, task_instance_id: task }) => `  task ${task}: ${message}`);
  return `${[`Job ${job.id} ${job.status}${job.substatus ? ` (${job.substatus})` : ""}: ${job.name}`, ...files, ...problems].join("\n")}\n`;
};

const sizeText = (bytes: number | undefined): string =>
  bytes === undefined ? "" : `  ${bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`}`;
