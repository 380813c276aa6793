import { Link } from "@tanstack/react-router";
import { desktopApp } from "../data/computer.ts";
import { useMay, useSession } from "../data/session.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Words } from "../ui/words.tsx";
import css from "./nav.module.css";

type Place = {
  readonly to: "/overview" | "/history" | "/jobs" | "/nodes" | "/computer" | "/farm" | "/people" | "/account";
  readonly word: string;
  readonly icon: IconName;
};

const places: readonly Place[] = [
  { to: "/overview", word: "Overview", icon: "overview" },
  { to: "/jobs", word: "Jobs", icon: "jobs" },
  { to: "/nodes", word: "Nodes", icon: "nodes" },
  { to: "/history", word: "History", icon: "history" },
  { to: "/farm", word: "Farm", icon: "farm" },
];
const ownerPlaces: readonly Place[] = [
  ...places,
  { to: "/people", word: "People", icon: "people" },
  { to: "/account", word: "Account", icon: "key" },
];

/** Only in the desktop app. */
const thisComputer: Place = { to: "/computer", word: "This computer", icon: "computer" };

/** A phone has room for these; the others are under More. */
const phonePlaces: ReadonlySet<Place["to"]> = new Set(["/overview", "/jobs", "/nodes", "/computer"]);

export const Nav = ({ onMore }: { readonly onMore: () => void }) => {
  const session = useSession();
  const isOwner = useMay("owner");
  return (
    <nav className={css.nav} aria-label="Pages">
      {[...(isOwner ? ownerPlaces : places), ...(desktopApp() ? [thisComputer] : [])].map(({ to, word, icon }) => (
        <Link
          key={to}
          to={to}
          className={phonePlaces.has(to) ? css.place : `${css.place} ${css.minor}`}
          activeProps={{ className: css.here, "aria-current": "page" }}
          title={word}
        >
          <Icon name={icon} />
          <span>{word}</span>
        </Link>
      ))}
      <button type="button" className={`${css.place} ${css.more}`} onClick={onMore} title="You, theme, keys">
        <Icon name="more" />
        <span>
          <span className={css.you}>
            <Words text={session.name} /> · {session.role}
          </span>
          <span className={css.word}>More</span>
        </span>
      </button>
    </nav>
  );
};
