/** A domain's configuration: the generated text, the file on the server, and earlier versions. */
import type { DomainView } from '@quarterdeck/projections';
import classes from '../domains.module.css';
import type { DomainRuns } from '../use-domain-runs';
import { AppliedTexts } from './AppliedTexts';
import { FoundOnServer } from './FoundOnServer';
import { Generated } from './Generated';

export const SiteTab = ({ domain, runs }: { domain: DomainView; runs: DomainRuns }) => (
  <div className={classes.column}>
    <Generated domain={domain} runs={runs} />
    <FoundOnServer domain={domain} runs={runs} />
    <AppliedTexts domain={domain} runs={runs} />
  </div>
);
