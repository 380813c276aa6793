import { t } from "@lingui/core/macro";
import { chooseLanguage, keptLanguage } from "../../language/index.ts";
import { languages } from "../../language/languages.ts";
import { Choice } from "../../ui/controls/field.tsx";
import { Fields } from "../../ui/controls/form.tsx";
import { Panel } from "../../ui/layout/panel.tsx";

const offered = Object.entries(languages).filter(([, { isHidden }]) => !isHidden);

/** The language of the pages in this browser; the page is read anew in another one. */
export const LanguagePanel = () => (
  <Panel title={t`Language`}>
    <Fields>
      <Choice
        label={t`Language of these pages`}
        value={keptLanguage() ?? ""}
        choices={[["", t`As the browser`], ...offered.map(([name, language]) => [name, language.name] as const)]}
        onChoose={(chosen) => chooseLanguage(chosen === "" ? null : chosen)}
      />
    </Fields>
  </Panel>
);
