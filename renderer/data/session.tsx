import { createContext, useContext } from "react";
import { mayDo, type Role, type SignedIn } from "../../shared/people/person.ts";

export const SessionContext = createContext<SignedIn>({ name: "", role: "viewer" });

export const useSession = (): SignedIn => useContext(SessionContext);

/** Whether the signed-in person has this role's rights. The coordinator decides; pages only hide controls. */
export const useMay = (needed: Role): boolean => mayDo(useSession().role, needed);
