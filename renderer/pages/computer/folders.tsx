import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type AppNotice, appNotices } from "../../../shared/desktop/ipc.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Choice, Tick } from "../../ui/controls/field.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { number } from "../../ui/text/format.ts";
import { Words } from "../../ui/text/words.tsx";
import css from "./computer.module.css";
import type { PartProps } from "./part.ts";

const gibibyte = 1024 ** 3;
const noticeWords: Readonly<Record<AppNotice, string>> = {
  soon: t`Tell me before work starts`,
  diskLow: t`Tell me when the disk is nearly full`,
  failed: t`Tell me when lending stops working`,
};

/** What the farm may use: folders, tasks at a time, disk; and how the app starts. */
export const Folders = ({ computer, ask }: PartProps) => {
  const { farm, mode } = computer;
  return (
    <Panel
      title={t`Folders and limits`}
      className={css.wide}
      aid={farm !== null && (mode === "farm" ? t`a farm of its own at ${farm}` : t`joined the farm at ${farm}`)}
    >
      <div className={css.limits}>
        <div>
          <Roots computer={computer} ask={ask} />
          {mode === "node" && (
            <>
              <h3>
                <Trans>The farm at {farm}</Trans>
              </h3>
              <p className={css.quiet}>
                <Trans>Leaving asks first. Running tasks then start again on other computers of that farm.</Trans>
              </p>
              <Button onClick={() => ask((app) => app.leaveFarm({}))}>
                <Trans>Leave the farm…</Trans>
              </Button>
            </>
          )}
        </div>
        <Limits computer={computer} ask={ask} />
      </div>
    </Panel>
  );
};

const Roots = ({ computer: { roots }, ask }: PartProps) => (
  <>
    <h3>
      <Trans>Folders that jobs may read and write</Trans>
    </h3>
    <ul className={css.folders}>
      {roots.map((root) => (
        <li key={root}>
          <Words text={root} className={css.name} />
          <Button
            look="quiet"
            aria-label={t`Open ${root}`}
            onClick={() => ask((app) => app.openFolder({ folder: root }))}
          >
            <Trans>Open</Trans>
          </Button>
          <Button look="quiet" aria-label={t`Remove ${root}`} onClick={() => ask((app) => app.removeRoot({ root }))}>
            <Trans>Remove</Trans>
          </Button>
        </li>
      ))}
    </ul>
    <Button onClick={() => ask((app) => app.addRoot({}))}>
      <Trans>Add a folder…</Trans>
    </Button>
  </>
);

const Limits = ({ computer: { slots, rules, startAtLogin, notices }, ask }: PartProps) => (
  <div className={css.choices}>
    <Choice
      label={t`Tasks in parallel`}
      value={String(slots ?? 0)}
      choices={[...new Set([0, 1, 2, 3, 4, 6, 8, 12, 16, ...(slots === null ? [] : [slots])])].map((each) => [
        String(each),
        each === 0 ? t`One for every two cores` : String(each),
      ])}
      onChoose={(chosen) => ask((app) => app.setSlots({ slots: Number(chosen) }))}
    />
    <Choice
      label={t`Keep free on the disk`}
      value={String(rules.minDisk)}
      choices={[...new Set([1, 5, 10, 20, 50, 100].map((size) => size * gibibyte).concat(rules.minDisk))]
        .sort((one, other) => one - other)
        .map((size) => [String(size), t`${number(Math.round((size / gibibyte) * 10) / 10)} GiB`])}
      onChoose={(chosen) => ask((app) => app.setRules({ rules: { ...rules, minDisk: Number(chosen) } }))}
    />
    <div className={css.ticks}>
      <Tick
        label={t`Start Mediafarm at login`}
        isOn={startAtLogin}
        onChange={(isWanted) => ask((app) => app.setStartAtLogin({ isWanted }))}
      />
      {appNotices.map((kind) => (
        <Tick
          key={kind}
          label={noticeWords[kind]}
          isOn={notices.includes(kind)}
          onChange={(isWanted) =>
            ask((app) =>
              app.setNotices({
                notices: appNotices.filter((each) => (each === kind ? isWanted : notices.includes(each))),
              }),
            )
          }
        />
      ))}
    </div>
  </div>
);
