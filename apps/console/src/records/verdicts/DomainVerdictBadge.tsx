import { Tooltip } from '@mantine/core';
import { domainVerdict, type AsOf, type JudgedDomain } from '@quarterdeck/projections';
import { VerdictBadge } from './VerdictBadge';

/** Whether the site serves, or the worst of what is wrong with it; all of it on hover. */
export const DomainVerdictBadge = ({ domain, asOf }: { domain: JudgedDomain; asOf: AsOf }) => {
  const verdict = domainVerdict(domain, asOf);
  return (
    <Tooltip
      label={verdict.reasons.map(({ label }) => label).join(', ')}
      disabled={verdict.reasons.length < 2}
      openDelay={200}
      withinPortal
      multiline
      maw={320}
    >
      <span>
        <VerdictBadge verdict={verdict} />
      </span>
    </Tooltip>
  );
};
