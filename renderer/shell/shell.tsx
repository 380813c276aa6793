import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { request } from "../data/client.ts";
import { useLink, useNow } from "../data/link.ts";
import { startLive } from "../data/live.ts";
import { tellNotices } from "../data/notices.ts";
import { useMay, useSession } from "../data/session.tsx";
import { forgetPerson } from "../data/sign-out.ts";
import { translated } from "../language/words.ts";
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
  const why = useRouterState({ select: ({ location }) => (location.search as { readonly why?: unknown }).why });
  useEffect(() => startLive(queries, (notices) => tellNotices(notices, say)), [queries, say]);
  useFocusOnPage();
  useKeys([
    { keys: "?", word: t`All keys, theme, sign out`, run: () => setMore(true) },
    { keys: "g o", word: t`Go to the overview`, isPlace: true, run: () => void navigate({ to: "/overview" }) },
    { keys: "g h", word: t`Go to History`, isPlace: true, run: () => void navigate({ to: "/history" }) },
    { keys: "g j", word: t`Go to Jobs`, isPlace: true, run: () => void navigate({ to: "/jobs" }) },
    { keys: "g n", word: t`Go to Nodes`, isPlace: true, run: () => void navigate({ to: "/nodes" }) },
    { keys: "g f", word: t`Go to Farm`, isPlace: true, run: () => void navigate({ to: "/farm" }) },
    ...(isOwner
      ? [{ keys: "g p", word: t`Go to People`, isPlace: true, run: () => void navigate({ to: "/people" }) }]
      : []),
    { keys: "g a", word: t`Go to Account`, isPlace: true, run: () => void navigate({ to: "/account" }) },
    ...(maySubmit ? [{ keys: "g s", word: t`Submit a job`, run: () => void navigate({ to: "/submit" }) }] : []),
  ]);
  return (
    <div className={css.shell} data-stale={link.state === "away" ? "" : undefined} data-wall={isWall ? "" : undefined}>
      <button type="button" className={css.skip} onClick={skipToMain}>
        <Trans>Skip to the page</Trans>
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

/** A page that loads has no heading yet: about two seconds. */
const mostFrames = 120;

/** Who went to another page by a key or a row has nothing under the focus any more: it goes to the page's heading. */
const useFocusOnPage = (): void => {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const before = useRef<string>(undefined);
  useEffect(() => {
    const isFirst = before.current === undefined;
    before.current = path;
    if (isFirst) return;
    let frame = 0;
    const look = (tries: number) => {
      if (document.activeElement !== document.body) return;
      const main = document.getElementById("main");
      const heading = main?.querySelector<HTMLElement>("h1");
      if (!heading && tries < mostFrames) frame = requestAnimationFrame(() => look(tries + 1));
      heading?.setAttribute("tabindex", "-1");
      (heading ?? (tries < mostFrames ? undefined : main))?.focus({ preventScroll: true });
    };
    frame = requestAnimationFrame(() => look(0));
    return () => cancelAnimationFrame(frame);
  }, [path]);
};

const AwayBanner = () => {
  const link = useLink();
  const now = useNow();
  if (link.state !== "away") return null;
  return (
    <div className={css.away}>
      <Notice tone="late">
        {link.heardAt === undefined ? (
          <b>
            <Trans>The coordinator does not answer.</Trans>
          </b>
        ) : (
          <Trans>
            <b>The coordinator has not answered for {span(now - link.heardAt)}.</b> What you see is from{" "}
            {clockTime(link.heardAt)}. Nodes continue with their work; this page reconnects by itself.
          </Trans>
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
    <Dialog title={t`You, theme and keys`} isOpen={isOpen} onClose={onClose}>
      <div className={css.more}>
        <p>
          <Words text={session.name} wraps /> · {translated(session.role)}
        </p>
        <p className={css.places}>
          <Link to="/history" onClick={onClose}>
            <Trans>History: who did what</Trans>
          </Link>
          <Link to="/farm" onClick={onClose}>
            <Trans>Farm: groups, limits, mounts</Trans>
          </Link>
          {session.role === "owner" && (
            <Link to="/people" onClick={onClose}>
              <Trans>People: who may sign in</Trans>
            </Link>
          )}
          <Link to="/account" onClick={onClose}>
            {session.role === "owner" ? (
              <Trans>Account: your password, language, notices, API users, OAPI key</Trans>
            ) : (
              <Trans>Account: your password, language, notices</Trans>
            )}
          </Link>
          <Link to="/presets" onClick={onClose}>
            <Trans>Presets: what jobs may name by a key</Trans>
          </Link>
          <Link to="/api" onClick={onClose}>
            <Trans>API: what programs may ask</Trans>
          </Link>
        </p>
        <Choice
          label={t`Theme`}
          value={theme}
          choices={[
            ["system", t`As the system`],
            ["light", t`Light`],
            ["dark", t`Dark`],
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
          <Button onClick={() => void signOut()}>
            <Trans>Sign out</Trans>
          </Button>
          <Button look="primary" hint="Esc" onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
        </div>
      </div>
    </Dialog>
  );
};
