import type { Clock } from "../../shared/basics/clock.ts";
import type { Desktop } from "../desktop/desktop.ts";
import type { SettingsStore } from "../desktop/settings.ts";
import { sayIn } from "../language/say.ts";
import type { Lender } from "../lending/lender.ts";
import type { OwnActions } from "./actions.ts";
import type { Actions } from "./menu.ts";

type Needs = {
  readonly desktop: Pick<Desktop, "copiedText" | "locale">;
  readonly clock: Pick<Clock, "now">;
  readonly settings: SettingsStore;
  readonly lender: Pick<Lender, "press" | "setRules">;
  readonly front: { readonly show: () => void };
  readonly own: OwnActions;
  readonly updates: { readonly install: () => void };
  /** Makes an action tell the person why it could not be done. */
  readonly inWords: (act: () => unknown) => () => void;
  readonly quit: () => Promise<void>;
  readonly onChange: () => void;
};

/** The actions behind both menus. */
export const menuActions = (needs: Needs): Actions => {
  const { desktop, settings, lender, own, inWords } = needs;
  return {
    openDashboard: needs.front.show,
    openInBrowser: inWords(own.openInBrowser),
    press: (press) => inWords(() => lender.press(press))(),
    setMode: (lend) => inWords(() => lender.setRules({ ...settings.get().lending, lend }))(),
    openFolder: (folder) => inWords(() => own.openFolder(folder))(),
    addRoot: inWords(own.addRoot),
    setStartAtLogin: (isWanted) =>
      inWords(() => {
        own.setStartAtLogin(isWanted);
        needs.onChange();
      })(),
    joinFarm: inWords(async () => own.joinFarm(await desktop.copiedText())),
    leaveFarm: inWords(own.leaveFarm),
    installUpdate: needs.updates.install,
    quit: () => void needs.quit(),
    now: needs.clock.now,
    say: (text, values) => sayIn(desktop.locale)(text, values),
  };
};
