import type { AppNotice, Computer, ComputerState } from "../../shared/desktop/ipc.ts";
import { pauseButtons } from "../../shared/lending/pause-buttons.ts";
import type { Desktop, Notice } from "../desktop/desktop.ts";
import type { Actions } from "./menu.ts";

type NoticeNeeds = {
  readonly desktop: Pick<Desktop, "notify">;
  readonly actions: Pick<Actions, "press" | "openDashboard" | "now" | "say">;
};

/** Notifies the owner of what happens without them: work is about to start, or this computer paused itself. */
export const createNotices = ({ desktop, actions }: NoticeNeeds) => {
  let last: ComputerState | undefined;
  return (computer: Computer): void => {
    const { state } = computer;
    if (state === last) return;
    last = state;
    const kind = computer.notices.find((each) => each === state);
    if (kind) desktop.notify({ ...table[kind](computer, actions), onClick: actions.openDashboard });
  };
};

type Make = (computer: Computer, actions: NoticeNeeds["actions"]) => Omit<Notice, "onClick">;

/** States that are worth a notification. */
const table: { readonly [S in AppNotice]: Make } = {
  soon: ({ title, words }, { press, now, say }) => ({
    title,
    body: words,
    actions: [
      { label: say("Not Now"), run: () => press(pauseButtons.skip()) },
      { label: say("In 1 Hour"), run: () => press(pauseButtons.stopForHour(now())) },
    ],
  }),
  diskLow: ({ title, words }) => ({ title, body: words, actions: [] }),
  failed: ({ title, words }) => ({ title, body: words, actions: [] }),
};
