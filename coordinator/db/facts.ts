import type { MediaFacts } from "../../shared/asset.ts";
import type { Db } from "./open.ts";

export type KeptFacts = {
  readonly size: number;
  readonly modified: number;
  readonly tool: string;
  readonly facts: MediaFacts;
};

type Raw = Omit<KeptFacts, "facts"> & { readonly facts: string };

/** One probe an asset: facts are kept by address and hold while size, time and tool are the same. */
export const createFactStore = ({ writer }: Db) => {
  const get = writer.prepare<[string], Raw>("SELECT size, modified, tool, facts FROM facts WHERE uri = ?");
  const put = writer.prepare(
    `INSERT INTO facts (uri, size, modified, tool, facts, found) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (uri) DO UPDATE SET size = excluded.size, modified = excluded.modified, tool = excluded.tool,
       facts = excluded.facts, found = excluded.found`,
  );
  return {
    get: (uri: string): KeptFacts | undefined => {
      const raw = get.get(uri);
      return raw && { ...raw, facts: JSON.parse(raw.facts) };
    },
    put: (uri: string, { size, modified, tool, facts }: KeptFacts, now: number): void => {
      put.run(uri, size, modified, tool, JSON.stringify(facts), now);
    },
  };
};
