import { domainVerdict, type AsOf, type JudgedDomain } from '@quarterdeck/projections';
import { BadgeHint } from '../../ui/BadgeHint';
import { VerdictBadge } from './VerdictBadge';

/** Whether the site serves, or the worst of what is wrong with it; all of it in its hint. */
export const DomainVerdictBadge = ({ domain, asOf }: { domain: JudgedDomain; asOf: AsOf }) => {
  const verdict = domainVerdict(domain, asOf);
  return (
    <BadgeHint label={verdict.reasons.length < 2 ? '' : verdict.reasons.map(({ label }) => label).join(', ')}>
      <VerdictBadge verdict={verdict} />
    </BadgeHint>
  );
};
