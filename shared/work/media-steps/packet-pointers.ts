import { z } from "zod";
import { stepId } from "../steps/step-id.ts";

/** Mends the packets of a program stream of an earlier step that name a place behind themselves. */
export const packetPointersStep = z.strictObject({ do: z.literal("packet_pointers"), id: stepId, of: z.string() });
