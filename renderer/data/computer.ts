import { useEffect, useState } from "react";
import { messageOf } from "../../shared/basics/errors.ts";
import type { Bridge, Computer } from "../../shared/desktop/ipc.ts";
import { useSay } from "../ui/overlays/toast.tsx";

declare global {
  interface Window {
    /** Set by the desktop app before any page runs; absent in a browser. */
    readonly mediafarm?: Bridge;
  }
}

/** The desktop app behind this page; undefined in a browser. */
export const desktopApp = (): Bridge | undefined => window.mediafarm;

type Ask = (question: (app: Bridge) => Promise<unknown>) => void;

/** This computer's state from the app, and a way to request something from it; its refusals are shown as they are. */
export const useComputer = (): { readonly computer: Computer | undefined; readonly ask: Ask } => {
  const [computer, setComputer] = useState<Computer>();
  const say = useSay();
  useEffect(() => {
    const app = desktopApp();
    if (!app) return;
    app.getComputer({}).then(setComputer, (problem) => say(messageOf(problem)));
    return app.onComputer(setComputer);
  }, [say]);
  const ask: Ask = (question) => {
    const app = desktopApp();
    if (!app) return;
    question(app)
      .then(() => app.getComputer({}))
      .then(setComputer, (problem) => say(messageOf(problem)));
  };
  return { computer, ask };
};
