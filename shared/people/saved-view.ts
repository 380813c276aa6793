import { z } from "zod";

const search = z.record(z.string().max(40), z.union([z.string().max(2000), z.number(), z.boolean()]));

const [mostEntries, mostCharacters] = [100, 10_000];

/** No page has so many filters and columns; whoever asks for the views gets all of them at once. */
export const newViewSearch = search
  .refine((given) => Object.keys(given).length <= mostEntries, `must have at most ${mostEntries} entries`)
  .refine((given) => JSON.stringify(given).length <= mostCharacters, `must have at most ${mostCharacters} characters`)
  .meta({ maxProperties: mostEntries });

/** A page's filter under a name, stored for everybody on the farm. */
export const savedView = z.strictObject({
  name: z.string().trim().min(1).max(60),
  page: z.enum(["jobs", "nodes"]),
  /** The query of the page's address: filter, order, columns. */
  search,
});
export type SavedView = z.output<typeof savedView>;
