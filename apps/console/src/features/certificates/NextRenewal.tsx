/** When a domain's certificate is renewed next, why then, and what may prevent it. */
import { domains } from '@quarterdeck/contract';
import { IconCalendarDue, IconCircleCheck, IconClockPause, IconRefreshAlert } from '@tabler/icons-react';
import type { DomainView, NextRenewal as Renewal } from '@quarterdeck/projections';
import { useAnswer } from '../../core/calls';
import { PresentOnly } from '../../core/past/in-past';
import { DataView } from '../../ui/DataView';
import { absoluteTime, RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import classes from './NextRenewal.module.css';
import { useSslStatusQuery } from './ssl.endpoints';

export const NextRenewal = ({ domain }: { domain: DomainView }) => (
  <PresentOnly what="The next renewal">
    <Plan domain={domain} />
  </PresentOnly>
);

const Plan = ({ domain }: { domain: DomainView }) => (
  <DataView query={useAnswer(domains.renewal, { id: domain.id })} what="Next renewal">
    {({ renewal, budget }) => (
      <dl className={classes.facts}>
        {renewal ? (
          <Known renewal={renewal} />
        ) : (
          <>
            <dt>When</dt>
            <dd>There is no certificate from this console that could be renewed.</dd>
          </>
        )}
        <dt>Rate budget</dt>
        <dd>
          {budget.allowed ? (
            <StateBadge state="allowed" tone="good" icon={IconCircleCheck} />
          ) : (
            <StateBadge state="wait" tone="warn" icon={IconClockPause} label="has to wait" />
          )}
          {budget.nextAt !== undefined && (
            <>
              {' '}
              until <RelativeTime at={budget.nextAt} />
            </>
          )}
          <p className={classes.note}>{budget.words}</p>
        </dd>
      </dl>
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
      <dt>When</dt>
      <dd>
        <StateBadge state={is} {...badges[is]} /> <RelativeTime at={at} />
      </dd>
      <dt>Why</dt>
      <dd>{reason}</dd>
      <dt>The authority</dt>
      <dd>
        {suggested && `suggests ${absoluteTime(suggested.start)} to ${absoluteTime(suggested.end)}. `}
        {unsuggested}
      </dd>
      <dt>By</dt>
      <dd>
        <Who />
      </dd>
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
