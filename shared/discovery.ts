import { z } from "zod";

/** The kind of service by which farms make themselves known in a network: `_mediafarm._tcp`. */
export const serviceType = "mediafarm";

/** What comes with it; whoever is in the network can say it, so it is shown and never trusted. */
export const announcement = z.object({
  name: z.string().min(1).max(200),
  host: z.string().min(1).max(255),
  port: z.number().int().min(1).max(65_535),
});
