/** What the certificate authority still allows for each registered domain, based on past requests from this console. */
import { ssl, type Answer } from '@quarterdeck/contract';
import { IconCircleCheck, IconClockPause } from '@tabler/icons-react';
import { useAnswer } from '../../core/calls';
import { DataView } from '../../ui/DataView';
import { EmptyState } from '../../ui/EmptyState';
import { RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import classes from './monitor.module.css';

type DomainBudget = Answer<typeof ssl.budget>[number];
export const RateBudgets = () => (
  <DataView query={useAnswer(ssl.budget)} what="The budget">
    {(domains) =>
      domains.length === 0 ? (
        <EmptyState title="No domains yet">The remaining budget of each domain will appear here.</EmptyState>
      ) : (
        <>
          <p className={classes.note}>
            Counts only requests from this console. The authority may count others too.
          </p>
          <ul className={classes.budgets} aria-label="Budget by registered domain">
            {domains.map((domain) => (
              <Budget key={domain.domain} domain={domain} />
            ))}
          </ul>
        </>
      )
    }
  </DataView>
);

const Budget = ({ domain: { domain, allowed, nextAt, words, budgets } }: { domain: DomainBudget }) => (
  <li>
    <div className={classes.runHead}>
      <strong className={classes.mono}>{domain}</strong>
      {allowed ? (
        <StateBadge state="allowed" tone="good" icon={IconCircleCheck} />
      ) : (
        <span>
          <StateBadge state="wait" tone="warn" icon={IconClockPause} label="has to wait" />{' '}
          {nextAt !== undefined && <RelativeTime at={nextAt} />}
        </span>
      )}
    </div>
    {!allowed && <p className={classes.reason}>{words}</p>}
    <ul className={classes.limits}>
      {budgets.map((budget) => (
        <li key={`${budget.limit} ${budget.of}`}>{budget.words}</li>
      ))}
    </ul>
  </li>
);
