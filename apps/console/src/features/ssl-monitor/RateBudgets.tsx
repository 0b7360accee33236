/** What the certificate authority still allows for each registered domain, based on past requests from this console. */
import { ssl, type Answer } from '@quarterdeck/contract';
import { IconCircleCheck, IconClockPause } from '@tabler/icons-react';
import { useAnswer } from '../../core/calls';
import { DataView } from '../../ui/DataView';
import { EmptyState } from '../../ui/EmptyState';
import { RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { Note } from '../../ui/Note';
import look from '../../ui/look.module.css';
import { List } from '../../ui/List';
import { Box, Group } from '@mantine/core';

type DomainBudget = Answer<typeof ssl.budget>[number];
export const RateBudgets = () => (
  <DataView query={useAnswer(ssl.budget)} what="The budget">
    {(domains) =>
      domains.length === 0 ? (
        <EmptyState title="No domains yet">The remaining budget of each domain will appear here.</EmptyState>
      ) : (
        <>
          <Note className={look.wrap}>
            Counts only requests from this console. The authority may count others too.
          </Note>
          <List className={look.parted} aria-label="Budget by registered domain">
            {domains.map((domain) => (
              <Budget key={domain.domain} domain={domain} />
            ))}
          </List>
        </>
      )
    }
  </DataView>
);

const Budget = ({ domain: { domain, allowed, nextAt, words, budgets } }: { domain: DomainBudget }) => (
  <Box component="li" py={8}>
    <Group gap="2px 12px">
      <strong className={look.mono}>{domain}</strong>
      {allowed ? (
        <StateBadge state="allowed" tone="good" icon={IconCircleCheck} />
      ) : (
        <span>
          <StateBadge state="wait" tone="warn" icon={IconClockPause} label="has to wait" />{' '}
          {nextAt !== undefined && <RelativeTime at={nextAt} />}
        </span>
      )}
    </Group>
    {!allowed && (
      <Box component="p" className={look.wrap} m={0}>
        {words}
      </Box>
    )}
    <List c="dimmed">
      {budgets.map((budget) => (
        <li key={`${budget.limit} ${budget.of}`}>{budget.words}</li>
      ))}
    </List>
  </Box>
);
