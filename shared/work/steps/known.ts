import { z } from "zod";
import { stepResult } from "../../model/step-result.ts";
import { stepId } from "./step-id.ts";

/** Stores a result that was already known at planning, beside those of other steps. */
export const knownStep = z.strictObject({ do: z.literal("known"), id: stepId, result: stepResult });
