import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { desktopApp } from "../../data/computer.ts";
import { keepWanted, type NoticeKind, noticeKinds, noticeNames, readWanted } from "../../data/notices.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Tick } from "../../ui/controls/field.tsx";
import { Fields } from "../../ui/controls/form.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import css from "./account.module.css";

/** What this browser tells while its user looks elsewhere; the choice stays in it. */
export const Notices = () => {
  const [wanted, setWanted] = useState(readWanted);
  const toggle = (kind: NoticeKind) => {
    const next = new Set(noticeNames.filter((each) => wanted.has(each) !== (each === kind)));
    keepWanted(next);
    setWanted(next);
  };
  return (
    <Panel title={t`Notices`}>
      <Fields>
        <p className={css.note}>
          <Trans>What these pages tell you while they are open, whoever's job it is.</Trans>
        </p>
        {noticeNames.map((kind) => (
          <Tick key={kind} label={noticeKinds[kind].word} isOn={wanted.has(kind)} onChange={() => toggle(kind)} />
        ))}
        <BySystem />
      </Fields>
    </Panel>
  );
};

/** Browsers ask their user once; afterwards only their own settings change it. */
const BySystem = () => {
  const [permission, setPermission] = useState(readPermission);
  const ask = () => void Notification.requestPermission().then(setPermission);
  return (
    <>
      <p className={css.note}>{systemWords[permission]}</p>
      {permission === "default" && (
        <Button onClick={ask}>
          <Trans>Also tell me when the window is hidden…</Trans>
        </Button>
      )}
    </>
  );
};

type Permission = NotificationPermission | "app" | "never";

const readPermission = (): Permission => {
  if (desktopApp()) return "app";
  return typeof Notification === "undefined" || !isSecureContext ? "never" : Notification.permission;
};

const systemWords: Readonly<Record<Permission, string>> = {
  default: t`They appear in the page. Your system can show them while you look at another window.`,
  granted: t`Your system shows them while you look at another window. The browser's settings of this site turn that off.`,
  denied: t`They appear in the page. The browser's settings of this site forbid system notifications.`,
  never: t`They appear in the page. System notifications need HTTPS, or the coordinator's own machine.`,
  app: t`They appear in the page, and your system shows them while the window is hidden. What the app itself tells of this computer is chosen on the page This computer.`,
};
