import type { UiHandlers } from "../http/ui.ts";
import type { Farm } from "../work/farm.ts";
import { retentionOf, setRetention } from "../work/retention.ts";

export const retentionHandlers = (farm: Farm): Pick<UiHandlers, "getRetention" | "setRetention"> => ({
  getRetention: () => retentionOf(farm),
  setRetention: (wanted) => setRetention(farm, wanted),
});
