import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { desktopApp } from "../data/computer.ts";
import { farmQuery, nodesQuery } from "../data/queries.ts";
import { useMay, useSession } from "../data/session.tsx";
import { translated } from "../language/words.ts";
import { number } from "../ui/text/format.ts";
import { Icon } from "../ui/text/icon.tsx";
import { Words } from "../ui/text/words.tsx";
import css from "./nav.module.css";
import { type Place, placesFor } from "./places.ts";

/** Only in the desktop app. */
const thisComputer: Place = { to: "/computer", word: t`This computer`, icon: "computer" };

/** A phone has room for these; the others are under More. */
const phonePlaces: ReadonlySet<Place["to"]> = new Set(["/overview", "/jobs", "/nodes", "/computer"]);

/** Open jobs and nodes. */
const useCounts = (): Partial<Record<Place["to"], number>> => {
  const { data: farm } = useQuery({ ...farmQuery, enabled: false });
  const { data: nodes } = useQuery(nodesQuery);
  return {
    ...(farm && { "/jobs": farm.jobs.queued + farm.jobs.active }),
    ...(nodes && { "/nodes": nodes.length }),
  };
};

export const Nav = ({ onMore }: { readonly onMore: () => void }) => {
  const session = useSession();
  const places = [...placesFor(useMay("owner")), ...(desktopApp() ? [thisComputer] : [])].filter(({ icon }) => icon);
  const counts = useCounts();
  return (
    <nav className={css.nav} aria-label={t`Pages`}>
      {places.map(({ to, word, icon }) => (
        <Link
          key={to}
          to={to}
          className={phonePlaces.has(to) ? css.place : `${css.place} ${css.minor}`}
          activeProps={{ className: css.here, "aria-current": "page" }}
          title={word}
        >
          {icon && <Icon name={icon} />}
          <span>{word}</span>
          {counts[to] !== undefined && (
            // Not a part of the link's name, which would be another one with every job.
            <span className={css.count} aria-hidden="true">
              {number(counts[to])}
            </span>
          )}
        </Link>
      ))}
      <button type="button" className={`${css.place} ${css.more}`} onClick={onMore} title={t`You, theme, keys`}>
        <Icon name="more" />
        <span>
          <span className={css.you}>
            <Words text={session.name} /> · {translated(session.role)}
          </span>
          <span className={css.word}>
            <Trans>More</Trans>
          </span>
        </span>
      </button>
    </nav>
  );
};
