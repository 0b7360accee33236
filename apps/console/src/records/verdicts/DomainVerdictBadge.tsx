import { domainVerdict, type AsOf, type JudgedDomain } from '@quarterdeck/projections';
import { BadgeHint } from '../../ui/BadgeHint';
import { VerdictBadge } from './VerdictBadge';

/** Whether the site is served, or its worst problem; the tooltip lists all problems. */
export const DomainVerdictBadge = ({ domain, asOf }: { domain: JudgedDomain; asOf: AsOf }) => {
  const verdict = domainVerdict(domain, asOf);
  return (
    <BadgeHint label={verdict.reasons.length < 2 ? '' : verdict.reasons.map(({ label }) => label).join(', ')}>
      <VerdictBadge verdict={verdict} />
    </BadgeHint>
  );
};
