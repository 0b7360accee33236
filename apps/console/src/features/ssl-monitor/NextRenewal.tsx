/** When a domain's certificate is renewed next, why then, and what may prevent it. */
import { domains } from '@quarterdeck/contract';
import { IconCalendarDue, IconClockPause, IconRefreshAlert } from '@tabler/icons-react';
import type { DomainView, NextRenewal as Renewal } from '@quarterdeck/projections';
import { useAnswer } from '../../core/calls';
import { PresentOnly } from '../../core/as-of/in-past';
import { DataView } from '../../ui/DataView';
import { absoluteTime, RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { useSslStatusQuery } from './ssl.endpoints';
import { Fact, Facts } from '../../ui/Facts';
import { Note } from '../../ui/Note';

export const NextRenewal = ({ domain }: { domain: DomainView }) => (
  <PresentOnly what="The next renewal">
    <Plan domain={domain} />
  </PresentOnly>
);

const Plan = ({ domain }: { domain: DomainView }) => (
  <DataView query={useAnswer(domains.renewal, { id: domain.id })} what="Next renewal">
    {({ renewal, budget }) => (
      <Facts>
        {renewal ? (
          <Known renewal={renewal} />
        ) : (
          <Fact label="When">There is no certificate from this console that could be renewed.</Fact>
        )}
        <Fact label="Rate limit">
          {budget.allowed ? (
            budget.words
          ) : (
            <>
              <StateBadge state="wait" tone="warn" icon={IconClockPause} label="has to wait" />
              {budget.nextAt !== undefined && (
                <>
                  {' '}
                  until <RelativeTime at={budget.nextAt} />
                </>
              )}
              <Note mt={4}>{budget.words}</Note>
            </>
          )}
        </Fact>
      </Facts>
    )}
  </DataView>
);

const badges = {
  wait: { tone: 'good', icon: IconCalendarDue, label: 'not due yet' },
  renew: { tone: 'warn', icon: IconRefreshAlert, label: 'due' },
  reload: { tone: 'warn', icon: IconRefreshAlert, label: 'to be read again' },
} as const;

const Known = ({ renewal }: { renewal: NonNullable<Renewal['renewal']> }) => {
  const { is, at, reason, suggested, unsuggested } = renewal;
  return (
    <>
      <Fact label="When">
        <StateBadge state={is} {...badges[is]} /> <RelativeTime at={at} />
      </Fact>
      <Fact label="Why">{reason}</Fact>
      <Fact label="Renewal information">
        {suggested && `Suggested from ${absoluteTime(suggested.start)} to ${absoluteTime(suggested.end)}. `}
        {unsuggested}
      </Fact>
      <Fact label="By">
        <Who />
      </Fact>
    </>
  );
};

/** Who renews: only the monitor does, so without a schedule it has to be started by hand. */
const Who = () => {
  const { data: status } = useSslStatusQuery();
  if (!status) return null;
  if (status.nextAt === undefined) return <>The SSL monitor when started by hand; it has no schedule.</>;
  return (
    <>
      the SSL monitor, whose next run by schedule is <RelativeTime at={status.nextAt} />.
    </>
  );
};
