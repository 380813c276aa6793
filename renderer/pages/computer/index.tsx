import type { Bridge, Computer } from "../../../shared/ipc.ts";
import { presses } from "../../../shared/presses.ts";
import { desktopApp, useComputer } from "../../data/computer.ts";
import { useNow } from "../../data/link.ts";
import { Button } from "../../ui/button.tsx";
import { useKeys } from "../../ui/keys.tsx";
import { Empty, Loading } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import css from "./computer.module.css";
import { Folders } from "./folders.tsx";
import { Gave } from "./gave.tsx";
import { Headline } from "./headline.tsx";
import { Rules } from "./rules.tsx";
import { Running } from "./running.tsx";
import { Week } from "./week.tsx";

/** Whether this computer lends, how much, and how to stop it. */
export const ComputerPage = () => {
  const { computer, ask } = useComputer();
  if (!desktopApp()) return <InBrowser />;
  if (!computer) return <Loading what="this computer" />;
  return <Shown computer={computer} ask={ask} />;
};

const InBrowser = () => (
  <Page title="This computer">
    <Empty title="Open this page in the desktop app on the computer that you want to lend.">
      <p>
        <a href="mediafarm://computer">Open the desktop app</a>
      </p>
    </Empty>
  </Page>
);

export type PartProps = {
  readonly computer: Computer;
  readonly ask: (question: (app: Bridge) => Promise<unknown>) => void;
};

const Shown = ({ computer, ask }: PartProps) => {
  const now = useNow();
  const isStopped = computer.press?.do === "stop";
  const toggle = () => ask((app) => app.press({ press: isStopped ? null : presses.stop() }));
  useKeys([{ keys: "s", word: "Stop or start lending", run: toggle }]);
  return (
    <Page title={<Headline computer={computer} />}>
      <div className={css.presses}>
        <Button look="primary" hint="s" onClick={toggle} disabled={computer.rules.lend === "never"}>
          {isStopped ? "Start lending" : "Stop lending"}
        </Button>
        <span className={css.quiet}>or stop for</span>
        <Button onClick={() => ask((app) => app.press({ press: presses.stopForHour(now) }))}>1 hour</Button>
        <Button onClick={() => ask((app) => app.press({ press: presses.stopUntilTomorrow(now) }))}>today</Button>
        {computer.state === "soon" && (
          <Button onClick={() => ask((app) => app.press({ press: presses.skip() }))}>Not now</Button>
        )}
        {canLendNow(computer) && (
          <Button onClick={() => ask((app) => app.press({ press: presses.lendForHour(now) }))}>Lend for 1 hour</Button>
        )}
        {computer.update?.step === "waiting" && (
          <Button onClick={() => ask((app) => app.installUpdate({}))}>
            Restart for version {computer.update.version}
          </Button>
        )}
      </div>
      <div className={css.panels}>
        <Running computer={computer} />
        <Rules computer={computer} ask={ask} />
        <Week computer={computer} ask={ask} now={now} />
        <Gave computer={computer} now={now} />
        <Folders computer={computer} ask={ask} />
      </div>
    </Page>
  );
};

const canLendNow = ({ state }: Computer): boolean => state === "inUse" || state === "busy" || state === "outOfHours";
