import { personKinds } from "./person-kinds.ts";
import { programKinds } from "./program-kinds.ts";
import { strangerKinds } from "./stranger-kinds.ts";

/** What strangers and ordinary users do at their worst. */
export const kinds = { ...strangerKinds, ...programKinds, ...personKinds } as const;
