/** Above the list of domains: the open alerts, and links to the alerts and the calendar. */
import { Flex, Group } from '@mantine/core';
import { alerts } from '@quarterdeck/contract';
import { IconBell, IconCalendar } from '@tabler/icons-react';
import { useAnswer } from '../../core/calls';
import { useNow } from '../../core/as-of/clock';
import { paths } from '../../core/paths';
import { Action } from '../../ui/Action';
import { ErrorState } from '../../ui/ErrorState';
import { StateBadge } from '../../ui/StateBadge';
import { bannerWords, standing } from './alert-words';
import { Card } from '../../ui/Card';

export const AlertPanel = () => {
  const { data, error, refetch, fulfilledTimeStamp } = useAnswer(alerts.list, { open: true });
  const now = useNow(fulfilledTimeStamp);
  const open = standing(data ?? []);
  return (
    <Card p="10px 16px" aria-label="Alerts">
      <Group justify="space-between" gap="8px 16px">
        {error && <ErrorState error={error} what="Alerts" onRetry={refetch} inline />}
        <Flex component="p" gap="4px 12px" align="center" wrap="wrap" mih={22} m={0}>
          {data && !error && (
            <StateBadge
              state={open.length === 0 ? 'none' : 'open'}
              tone={open.length === 0 ? 'good' : 'warn'}
              icon={IconBell}
              label={open.length === 0 ? 'No open alerts' : `${open.length} open`}
            />
          )}
          {open.length > 0 && !error && <span>{bannerWords(open, now)}</span>}
        </Flex>
        <Flex gap={8} wrap="wrap">
          <Action icon={IconBell} variant="default" does={paths.alerts()}>
            Alerts
          </Action>
          <Action icon={IconCalendar} variant="default" does={paths.expiryCalendar()}>
            Calendar
          </Action>
        </Flex>
      </Group>
    </Card>
  );
};
