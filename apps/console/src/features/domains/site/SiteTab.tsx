/** A domain's configuration: the generated text, the file on the server, and earlier versions. */
import type { DomainView } from '@quarterdeck/projections';
import { useState } from 'react';
import type { DomainRuns } from '../use-domain-runs';
import { AppliedTexts } from './AppliedTexts';
import { FoundOnServer } from './FoundOnServer';
import { Generated } from './Generated';
import { useSiteChange } from './SiteChange';
import { SiteSettings } from './SiteSettings';
import { useSiteOptions } from './use-site-options';
import { Stacked } from '../../../ui/Columns';

export const SiteTab = ({ domain, runs }: { domain: DomainView; runs: DomainRuns }) => {
  const [options, choose] = useSiteOptions(domain);
  const change = useSiteChange(domain, options);
  const { currentData, isError } = change.query;
  // The other cards wait for the first answer, since they are below a text of unknown height. Then they stay: a card of
  // them asks for the same text, which begins a new attempt after a failure.
  const [answered, setAnswered] = useState(false);
  if (!answered && (currentData || isError)) setAnswered(true);
  return (
    <Stacked>
      <SiteSettings domain={domain} />
      <Generated domain={domain} runs={runs} options={options} choose={choose} change={change} />
      {answered && (
        <>
          <FoundOnServer domain={domain} runs={runs} />
          <AppliedTexts domain={domain} runs={runs} />
        </>
      )}
    </Stacked>
  );
};
