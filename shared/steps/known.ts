import { z } from "zod";
import { stepResult } from "../results/result.ts";
import { stepId } from "./step-id.ts";

/** Keeps a result that was known when the task was planned, beside those that are found out. */
export const knownStep = z.strictObject({ do: z.literal("known"), id: stepId, result: stepResult });
