import type { ComputeGroup, TagLimit } from "../../shared/compute-group.ts";
import type { Db } from "./open.ts";

type Raw = { readonly name: string; readonly provided_tags: string; readonly mandatory_tags: string };

const read = ({ name, provided_tags, mandatory_tags }: Raw): ComputeGroup => ({
  name,
  provided_tags: JSON.parse(provided_tags),
  mandatory_tags: JSON.parse(mandatory_tags),
});

/** Compute groups, and the farm's limits: what an operator says of where tasks may run. */
export const createComputeGroupStore = ({ writer }: Db) => {
  const all = writer.prepare<[], Raw>("SELECT * FROM compute_groups ORDER BY name");
  const put = writer.prepare(
    `INSERT INTO compute_groups (name, provided_tags, mandatory_tags) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET provided_tags = excluded.provided_tags, mandatory_tags = excluded.mandatory_tags`,
  );
  const remove = writer.prepare("DELETE FROM compute_groups WHERE name = ?");
  const limits = writer.prepare<[], TagLimit>("SELECT tag, most FROM tag_limits ORDER BY tag");
  const clearLimits = writer.prepare("DELETE FROM tag_limits");
  const addLimit = writer.prepare("INSERT INTO tag_limits (tag, most) VALUES (?, ?)");

  return {
    all: (): ComputeGroup[] => all.all().map(read),
    put: ({ name, provided_tags, mandatory_tags }: ComputeGroup): void => {
      put.run(name, JSON.stringify(provided_tags), JSON.stringify(mandatory_tags));
    },
    /** False where there is none of that name. */
    remove: (name: string): boolean => remove.run(name).changes > 0,
    limits: (): TagLimit[] => limits.all(),
    setLimits: (items: readonly TagLimit[]): void => {
      clearLimits.run();
      for (const { tag, most } of items) addLimit.run(tag, most);
    },
  };
};
