import type { LeadView } from "../../shared/api/lead.ts";
import { AppError } from "../../shared/basics/errors.ts";
import type { Lease } from "../store/store.ts";

/** Who leads, and giving that to another coordinator. */
export type Lead = {
  readonly view: () => Promise<LeadView>;
  /**
   * Begins to hand the farm over to one that stands by: this coordinator stops acting, ends its requests and stands by
   * itself. Throws AppError if nobody could take over.
   */
  readonly give: () => Promise<LeadView>;
};

export type LeadNeeds = {
  /** Undefined where the store admits one coordinator. */
  readonly lease: Pick<Lease, "leader" | "standbys"> | undefined;
  /** Where this coordinator is found. */
  readonly address: () => string;
  /** Ends leading soon; undefined if what runs this coordinator could not start it again. */
  readonly handOver: (() => void) | undefined;
};

export const createLead = ({ lease, address, handOver }: LeadNeeds): Lead => {
  const view = async (): Promise<LeadView> => {
    const [found, standbys] = await Promise.all([lease?.leader(), lease?.standbys()]);
    return {
      is_shared: lease !== undefined,
      leader: found?.address ?? address(),
      term: found?.term ?? null,
      standbys: [...(standbys ?? [])],
    };
  };
  return {
    view,
    give: async () => {
      const now = await view();
      if (!now.is_shared)
        throw new AppError(
          "CONFLICT",
          "This farm keeps its data in a file, so one coordinator leads it always. Several can share a PostgreSQL database: mediafarm up --store",
        );
      if (now.standbys.length === 0)
        throw new AppError(
          "CONFLICT",
          "No coordinator stands by. Start another one with the same --store, and give the lead then",
        );
      if (!handOver) throw new AppError("CONFLICT", "This coordinator cannot stand by after it led: stop it instead");
      handOver();
      return now;
    },
  };
};
