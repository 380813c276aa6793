import { z } from "zod";

/** The service type that farms announce on a network: `_mediafarm._tcp`. */
export const serviceType = "mediafarm";

/** The data of an announcement. Anyone on the network can send it, so it is shown and never trusted. */
export const announcement = z.object({
  name: z.string().min(1).max(200),
  host: z.string().min(1).max(255),
  port: z.number().int().min(1).max(65_535),
});
