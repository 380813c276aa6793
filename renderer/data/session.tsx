import { createContext, useContext } from "react";
import { mayDo, type Role, type SignedIn } from "../../shared/person.ts";

export const SessionContext = createContext<SignedIn>({ name: "", role: "viewer" });

export const useSession = (): SignedIn => useContext(SessionContext);

/** Whether who is signed in may do what asks for this role. The coordinator decides; pages only leave away. */
export const useMay = (needed: Role): boolean => mayDo(useSession().role, needed);
