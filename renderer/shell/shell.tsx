import { useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { request } from "../data/client.ts";
import { useLink, useNow } from "../data/link.ts";
import { startLive } from "../data/live.ts";
import { tellNotices } from "../data/notices.ts";
import { useMay, useSession } from "../data/session.tsx";
import { forgetPerson } from "../data/sign-out.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Choice } from "../ui/field.tsx";
import { clockTime, span } from "../ui/format.ts";
import { useKeyList, useKeys } from "../ui/keys.tsx";
import { Notice } from "../ui/notice.tsx";
import { applyTheme, readTheme } from "../ui/theme.ts";
import { useSay } from "../ui/toast.tsx";
import { Words } from "../ui/words.tsx";
import { DropAnywhere } from "./drop.tsx";
import { Nav } from "./nav.tsx";
import { Palette } from "./palette.tsx";
import css from "./shell.module.css";
import { TopBar } from "./top-bar.tsx";
import { useWall } from "./wall.ts";
import { WhyDrawer } from "./why/index.tsx";

/** The frame around every page, and what keeps it up to date. */
export const Shell = () => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isOwner = useMay("owner");
  const maySubmit = useMay("operator");
  const [isMore, setMore] = useState(false);
  const link = useLink();
  const say = useSay();
  const isWall = useWall();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const why = useRouterState({ select: ({ location }) => (location.search as { readonly why?: unknown }).why });
  useEffect(() => startLive(queries, (notices) => tellNotices(notices, say)), [queries, say]);
  useEffect(() => {
    const page = path.split("/").filter(Boolean);
    document.title = page.length > 0 ? `${page.join(" ")} · Mediafarm` : "Mediafarm";
  }, [path]);
  useKeys([
    { keys: "?", word: "All keys, theme, sign out", run: () => setMore(true) },
    { keys: "g o", word: "Go to the overview", run: () => void navigate({ to: "/overview" }) },
    { keys: "g h", word: "Go to History", run: () => void navigate({ to: "/history" }) },
    { keys: "g j", word: "Go to Jobs", run: () => void navigate({ to: "/jobs" }) },
    { keys: "g n", word: "Go to Nodes", run: () => void navigate({ to: "/nodes" }) },
    { keys: "g f", word: "Go to Farm", run: () => void navigate({ to: "/farm" }) },
    ...(isOwner ? [{ keys: "g p", word: "Go to People", run: () => void navigate({ to: "/people" }) }] : []),
    { keys: "g a", word: "Go to Account", run: () => void navigate({ to: "/account" }) },
    ...(maySubmit ? [{ keys: "g s", word: "Submit a job", run: () => void navigate({ to: "/submit" }) }] : []),
  ]);
  return (
    <div className={css.shell} data-stale={link.state === "away" ? "" : undefined} data-wall={isWall ? "" : undefined}>
      <button type="button" className={css.skip} onClick={skipToMain}>
        Skip to the page
      </button>
      <TopBar isPlain={isWall} />
      <div className={css.middle}>
        {!isWall && <Nav onMore={() => setMore(true)} />}
        <main id="main" className={css.main} tabIndex={-1}>
          <AwayBanner />
          <Outlet />
        </main>
      </div>
      <More isOpen={isMore} onClose={() => setMore(false)} />
      <WhyDrawer taskId={why === undefined ? undefined : String(why)} />
      <Palette />
      <DropAnywhere />
    </div>
  );
};

/** The address's fragment is the page, so this cannot be a fragment link. */
const skipToMain = () => document.getElementById("main")?.focus();

const AwayBanner = () => {
  const link = useLink();
  const now = useNow();
  if (link.state !== "away") return null;
  return (
    <div className={css.away}>
      <Notice tone="late">
        {link.heardAt === undefined ? (
          <b>The coordinator does not answer.</b>
        ) : (
          <>
            <b>The coordinator has not answered for {span(now - link.heardAt)}.</b> What you see is from{" "}
            {clockTime(link.heardAt)}. Nodes go on with what they have; this page returns by itself.
          </>
        )}
      </Notice>
    </div>
  );
};

const More = ({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) => {
  const session = useSession();
  const queries = useQueryClient();
  const list = useKeyList();
  const [theme, setTheme] = useState(readTheme);
  const signOut = async () => {
    onClose();
    await request("signOut", {}).catch(() => {}); // who cannot be reached keeps the session; this page forgets it
    forgetPerson(queries);
  };
  return (
    <Dialog title="You, theme and keys" isOpen={isOpen} onClose={onClose}>
      <div className={css.more}>
        <p>
          <Words text={session.name} wraps /> · {session.role}
        </p>
        <p className={css.places}>
          <Link to="/history" onClick={onClose}>
            History: who did what
          </Link>
          <Link to="/farm" onClick={onClose}>
            Farm: groups, limits, mounts
          </Link>
          {session.role === "owner" && (
            <Link to="/people" onClick={onClose}>
              People: who may sign in
            </Link>
          )}
          <Link to="/account" onClick={onClose}>
            Account: your password, notices{session.role === "owner" && ", API users, OAPI key"}
          </Link>
          <Link to="/presets" onClick={onClose}>
            Presets: what jobs may name by a key
          </Link>
          <Link to="/api" onClick={onClose}>
            API: what programs may ask
          </Link>
        </p>
        <Choice
          label="Theme"
          value={theme}
          choices={[
            ["system", "As the system"],
            ["light", "Light"],
            ["dark", "Dark"],
          ]}
          onChoose={(chosen) => {
            setTheme(chosen);
            applyTheme(chosen);
          }}
        />
        <dl className={css.keys}>
          {isOpen &&
            list().map(({ keys, word }) => (
              <div key={`${keys} ${word}`}>
                <dt>
                  <kbd>{keys === "Escape" ? "Esc" : keys}</kbd>
                </dt>
                <dd>{word}</dd>
              </div>
            ))}
        </dl>
        <div className={css.answers}>
          <Button onClick={() => void signOut()}>Sign out</Button>
          <Button look="primary" hint="Esc" onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
    </Dialog>
  );
};
