import type { z } from "zod";
import { someJobInfo, someTaskInfo } from "../../../shared/api/api.ts";
import { explanation } from "../../../shared/api/explain.ts";
import { bulkAnswer } from "../../../shared/api/job-actions.ts";
import { jobOutput } from "../../../shared/api/job-outputs.ts";
import { jobResultDocument } from "../../../shared/api/job-result.ts";
import { watchView } from "../../../shared/api/watch-view.ts";
import { credentialTrial, vaultHead } from "../../../shared/credentials/vault.ts";
import { attemptRecord } from "../../../shared/model/attempt.ts";
import { computeGroup, tagLimitNow } from "../../../shared/model/compute-group.ts";
import { node } from "../../../shared/model/node.ts";
import { presetHead } from "../../../shared/model/preset.ts";

/** What answers consist of, by the name that it has in the document and in code made from it. */
export const namedAnswers: Readonly<Record<string, z.ZodType>> = {
  Job: someJobInfo,
  Task: someTaskInfo,
  Node: node,
  JobResult: jobResultDocument,
  JobOutput: jobOutput,
  Watch: watchView,
  Attempt: attemptRecord,
  Explanation: explanation,
  BulkAnswer: bulkAnswer,
  PresetHead: presetHead,
  ComputeGroup: computeGroup,
  TagLimit: tagLimitNow,
  Credential: vaultHead,
  CredentialTrial: credentialTrial,
};

const names = new Map<z.ZodType, string>(Object.entries(namedAnswers).map(([name, schema]) => [schema, name]));

/** The name of a part of answers; undefined if it has none. */
export const nameOfAnswer = (schema: unknown): string | undefined => names.get(schema as z.ZodType); // other keys are not there
