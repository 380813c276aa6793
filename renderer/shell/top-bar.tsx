import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { finishWords } from "../data/activity.ts";
import { useCoarseNow, useLink, useNow, useSkew } from "../data/link.ts";
import { farmQuery } from "../data/queries.ts";
import { useMay } from "../data/session.tsx";
import buttonCss from "../ui/controls/button.module.css";
import { classes } from "../ui/text/classes.ts";
import { number, span } from "../ui/text/format.ts";
import { Glyph } from "../ui/text/glyph.tsx";
import { Icon } from "../ui/text/icon.tsx";
import stateCss from "../ui/text/state.module.css";
import { NodeStrip } from "./node-strip.tsx";
import { paletteEvent } from "./palette.tsx";
import css from "./top-bar.module.css";

/** On every page: whether it is live, how the nodes are, whether work moves. */
export const TopBar = ({ isPlain }: { /** Nothing to press. */ readonly isPlain: boolean }) => {
  const maySubmit = useMay("operator");
  return (
    <header className={css.bar}>
      <Link to="/overview" className={css.mark} translate="no">
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <path fill="currentColor" d="M1 2h14v3H1zM1 6.5h10v3H1zM1 11h6v3H1z" />
        </svg>
        Mediafarm
      </Link>
      <Age />
      <div className={css.strip}>
        <NodeStrip />
      </div>
      <Counts />
      {!isPlain && (
        <button type="button" className={css.find} onClick={() => dispatchEvent(new Event(paletteEvent))}>
          <Icon name="search" size={14} />
          <span>
            <Trans>Search or do</Trans>
          </span>
          <span aria-hidden="true">
            <kbd>Ctrl K</kbd>
          </span>
        </button>
      )}
      {maySubmit && !isPlain && (
        <Link to="/submit" className={classes(buttonCss.button, buttonCss.primary, css.submit)}>
          <Icon name="submit" size={14} />
          <span>
            <Trans>Submit</Trans>
          </span>
        </Link>
      )}
    </header>
  );
};

/** How many tasks run, are ready and wait for others, and when the queue will be empty. */
const Counts = () => {
  const { data: farm } = useQuery({ ...farmQuery, enabled: false });
  const now = useCoarseNow();
  if (!farm) return null;
  return (
    <p className={css.counts}>
      <Link to="/jobs" search={{ state: "running" }} className={classes(stateCss.state, stateCss.run)}>
        <Glyph state="running" />
        <Trans>{number(farm.tasks.running)} running</Trans>
      </Link>
      <Link to="/overview" className={classes(stateCss.state, stateCss.idle)}>
        <Glyph state="queued" />
        <Trans>{number(farm.tasks.ready)} ready</Trans>
      </Link>
      {farm.tasks.blocked !== null && (
        <Link
          to="/jobs"
          className={classes(stateCss.state, farm.tasks.blocked > 0 && stateCss.dep, css.blocked)}
          title={t`Elements that wait for others of their job`}
        >
          <Glyph state="blocked" />
          <Trans>{number(farm.tasks.blocked)} blocked</Trans>
        </Link>
      )}
      {farm.empty && (
        <Link to="/overview" className={css.empty} title={t`When the queue will be done, in 8 of 10 cases`}>
          <Trans>
            Empty <b>{finishWords(farm.empty, now)}</b>
          </Trans>
        </Link>
      )}
    </p>
  );
};

const skewWords = (skew: number): string =>
  skew > 0
    ? t`Times are the farm's: this computer's clock is ${span(skew)} behind`
    : t`Times are the farm's: this computer's clock is ${span(-skew)} ahead`;

/** The live dot, and the age of what is shown. */
const Age = () => {
  const link = useLink();
  const now = useNow();
  const skew = useSkew();
  const isLive = link.state === "live";
  const age = link.heardAt === undefined ? "" : span(now - link.heardAt);
  return (
    <p className={classes(css.age, isLive && css.live)} title={skew === 0 ? t`Age of what is shown` : skewWords(skew)}>
      <span className={css.dot} />
      {isLive ? t`Live` : link.state === "away" ? t`Away` : t`Connecting`} <span className={css.old}>{age}</span>
    </p>
  );
};
