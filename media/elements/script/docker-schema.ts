import { z } from "zod";
import { listOf, looseBoolean, looseNumber, openObject, optionalObject } from "../../../shared/basics/loose-values.ts";
import { location } from "../../../shared/files/location.ts";

const name = z.string().min(1).max(200);

const image = z.looseObject({
  image_urn: z.string().min(1).max(1000),
  registry: optionalObject({
    kind: z.enum(["dockerhub", "hybrik", "ecr", "gcr"]).optional(),
    access: openObject({
      username: z.string().max(1000).optional(),
      password: z.string().max(4000).optional(),
    }).optional(),
  }),
  license: z.string().max(4000).optional(),
});

const command = z.looseObject({
  docker_image: image,
  args: listOf(z.string().max(16_000), 1000).optional(),
  command: z.string().max(16_000).optional(),
  shell: z.string().max(16_000).optional(),
  entrypoint: z.string().max(4000).optional(),
  env: z.record(z.string().regex(/^[A-Za-z_]\w{0,200}$/), z.string().max(16_000)).optional(),
  ignore_exit_code: looseBoolean().optional(),
  preserve_stdout: looseBoolean().optional(),
  preserve_stderr: looseBoolean().optional(),
});

/** Commands in containers: sources come in as files, targets go out as files. */
export const docker = z.looseObject({
  sources: listOf(z.looseObject({ source_reference: name, placeholder: name.optional() }), 100).optional(),
  targets: listOf(
    z.looseObject({
      placeholder: name.optional(),
      location: location.optional(),
      file_pattern: z.string().max(1000).optional(),
      include_in_result: looseBoolean().optional(),
      recursive: looseBoolean().optional(),
      size_hint: z.unknown().optional(),
    }),
    100,
  ).optional(),
  commands: z.array(command).min(1).max(100),
  /** Our own: how much of the machine each command may use. */
  cpus: looseNumber(0.1, 1024).default(2),
  memory_mb: looseNumber(16, 1_000_000).default(2048),
});
export type DockerPayload = z.output<typeof docker>;
