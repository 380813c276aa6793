import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { Computer } from "../../../shared/desktop/ipc.ts";
import { pauseButtons } from "../../../shared/lending/pause-buttons.ts";
import { desktopApp, useComputer } from "../../data/computer.ts";
import { useNow } from "../../data/link.ts";
import { Button } from "../../ui/controls/button.tsx";
import { useKeys } from "../../ui/controls/keys.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Empty, Loading } from "../../ui/text/notice.tsx";
import css from "./computer.module.css";
import { Folders } from "./folders.tsx";
import { Gave } from "./gave.tsx";
import { Headline } from "./headline.tsx";
import type { PartProps } from "./part.ts";
import { Rules } from "./rules.tsx";
import { Running } from "./running.tsx";
import { Week } from "./week.tsx";

/** Whether this computer lends, how much, and how to stop it. */
export const ComputerPage = () => {
  const { computer, ask } = useComputer();
  if (!desktopApp()) return <InBrowser />;
  if (!computer) return <Loading what={t`this computer`} />;
  return <Shown computer={computer} ask={ask} />;
};

const InBrowser = () => (
  <Page title={t`This computer`}>
    <Empty title={t`Open this page in the desktop app on the computer that you want to lend.`}>
      <p>
        <a href="mediafarm://computer">
          <Trans>Open the desktop app</Trans>
        </a>
      </p>
    </Empty>
  </Page>
);

const Shown = ({ computer, ask }: PartProps) => {
  const now = useNow();
  const isStopped = computer.press?.do === "stop";
  const toggle = () => ask((app) => app.press({ press: isStopped ? null : pauseButtons.stop() }));
  useKeys([{ keys: "s", word: t`Stop or start lending`, run: toggle }]);
  return (
    <Page title={<Headline computer={computer} />} name={t`This computer`}>
      <div className={css.presses}>
        <Button look="primary" hint="s" onClick={toggle} disabled={computer.rules.lend === "never"}>
          {isStopped ? t`Start lending` : t`Stop lending`}
        </Button>
        <span className={css.quiet}>
          <Trans>or stop for</Trans>
        </span>
        <Button
          aria-label={t`Stop lending for 1 hour`}
          onClick={() => ask((app) => app.press({ press: pauseButtons.stopForHour(now) }))}
        >
          <Trans>1 hour</Trans>
        </Button>
        <Button
          aria-label={t`Stop lending today, until 06:00 tomorrow`}
          title={t`until 06:00 tomorrow`}
          onClick={() => ask((app) => app.press({ press: pauseButtons.stopUntilTomorrow(now) }))}
        >
          <Trans>today</Trans>
        </Button>
        {computer.state === "soon" && (
          <Button onClick={() => ask((app) => app.press({ press: pauseButtons.skip() }))}>
            <Trans>Not now</Trans>
          </Button>
        )}
        {canLendNow(computer) && (
          <Button onClick={() => ask((app) => app.press({ press: pauseButtons.lendForHour(now) }))}>
            <Trans>Lend for 1 hour</Trans>
          </Button>
        )}
        {computer.update?.step === "waiting" && (
          <Button onClick={() => ask((app) => app.installUpdate({}))}>
            <Trans>Restart for version {computer.update.version}</Trans>
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

const canLendNow = ({ state }: Computer): boolean => ["inUse", "busy", "program", "outOfHours"].includes(state);
