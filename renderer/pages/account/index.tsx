import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { useMay } from "../../data/session.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Columns } from "../../ui/table/columns.tsx";
import { ApiUsers } from "./api-users.tsx";
import { LanguagePanel } from "./language.tsx";
import { Links } from "./links.tsx";
import { Notices } from "./notices.tsx";
import { OapiPair } from "./oapi-pair.tsx";
import { OwnPassword } from "./own-password.tsx";
import { SecondSteps } from "./second-steps.tsx";
import { Sessions } from "./sessions.tsx";

/** What opens the API, for owners; one's own password and notices, for everybody. */
export const AccountPage = () => {
  const isOwner = useMay("owner");
  return (
    <Page
      title={t`Account`}
      actions={
        <Link to="/api">
          <Trans>API reference</Trans>
        </Link>
      }
    >
      {isOwner ? (
        <Columns
          side={
            <>
              <OapiPair />
              <OwnPassword />
              <Notices />
              <LanguagePanel />
            </>
          }
        >
          <ApiUsers />
          <SecondSteps />
          <Links />
          <Sessions />
        </Columns>
      ) : (
        <Columns
          side={
            <>
              <Notices />
              <LanguagePanel />
            </>
          }
        >
          <OwnPassword />
          <SecondSteps />
          <Links />
          <Sessions />
        </Columns>
      )}
    </Page>
  );
};
