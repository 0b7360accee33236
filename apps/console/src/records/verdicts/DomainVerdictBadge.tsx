import { domainVerdict, type AsOf, type JudgedDomain } from '@quarterdeck/projections';
import { BadgeHint } from '../../ui/BadgeHint';
import { VerdictBadge } from './VerdictBadge';

/** A longer one is cut in the list. */
const SHORT = 40;

/** Whether the site is served, or its worst problem; the tooltip lists all problems that cannot be read here. */
export const DomainVerdictBadge = ({ domain, asOf }: { domain: JudgedDomain; asOf: AsOf }) => {
  const verdict = domainVerdict(domain, asOf);
  const reasons = verdict.reasons.map(({ label }) => label).join(', ');
  return (
    <BadgeHint label={verdict.reasons.length < 2 && reasons.length < SHORT ? '' : reasons}>
      <VerdictBadge verdict={verdict} />
    </BadgeHint>
  );
};
