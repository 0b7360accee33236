/** A calendar of certificate expiry: one month by week and as a list. */
import { Button, Flex, Group } from '@mantine/core';
import { domains as domainCalls } from '@quarterdeck/contract';
import { isMonth } from '@quarterdeck/events';
import { IconBell, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { monthsFrom, type ExpiryCalendar, type Month } from '@quarterdeck/projections';
import { Link, useSearchParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import { useNow } from '../../core/as-of/clock';
import { paths } from '../../core/paths';
import { Action } from '../../ui/Action';
import { DataView } from '../../ui/DataView';
import { PageHeader } from '../../ui/PageHeader';
import { monthInShort, monthInWords } from './calendar';
import classes from './calendar.module.css';
import { DayList, MonthGrid } from './MonthViews';
import { Note } from '../../ui/Note';
import { Title } from '../../ui/heading';

export const CalendarPage = () => {
  const [search] = useSearchParams();
  const month = search.get('month') ?? '';
  const { data, error, refetch } = useAnswer(domainCalls.expiries, isMonth(month) ? { month } : {});
  return (
    <>
      <PageHeader
        title="Expiry calendar"
        description="When the certificates of your domains expire, in UTC."
        reading={
          <Action icon={IconBell} variant="default" does={paths.alerts()}>
            Alerts
          </Action>
        }
      />
      {/* Keeps the previous month until the next has loaded, and so the buttons and the focus. */}
      <DataView query={{ data, error, refetch }} what="Expiry calendar">
        {(calendar) => <Calendar {...calendar} />}
      </DataView>
    </>
  );
};

const Calendar = ({ month, months, days, expiredElsewhere }: ExpiryCalendar) => {
  const now = new Date(useNow()).toISOString();
  return (
    <>
      <Months months={months} month={month} />
      <Group gap={12} mb={12}>
        <Turn to={monthsFrom(month, -1)} forward={false} />
        <Title aria-live="polite" fz={16} miw="10rem" ta="center">
          {monthInWords(month)}
        </Title>
        <Turn to={monthsFrom(month, 1)} forward />
      </Group>
      <MonthGrid month={month} days={days} now={now} />
      <DayList days={days} now={now} />
      {days.length === 0 && <Note mt={16}>No certificate expires in {monthInWords(month)}.</Note>}
      {expiredElsewhere > 0 && (
        <Note mt={16}>
          {expiredElsewhere} {expiredElsewhere === 1 ? 'certificate has' : 'certificates have'} expired in
          other months. <Link to={`${paths.domains()}?sort=days`}>Show the domains by days left</Link>
        </Note>
      )}
    </>
  );
};

const Turn = ({ to, forward }: { to: Month; forward: boolean }) => (
  <Button
    component={Link}
    to={paths.expiryCalendar(to)}
    preventScrollReset
    variant="default"
    aria-label={`${forward ? 'Next' : 'Previous'} month, ${monthInWords(to)}`}
  >
    {forward ? <IconChevronRight size={16} aria-hidden /> : <IconChevronLeft size={16} aria-hidden />}
  </Button>
);

interface MonthsProps {
  months: ExpiryCalendar['months'];
  month: Month;
}

const Months = ({ months, month }: MonthsProps) => (
  <Flex component="nav" gap={4} wrap="wrap" mb={20} aria-label="Months">
    {months.map(({ month: one, count }) => (
      <Link
        key={one}
        to={paths.expiryCalendar(one)}
        preventScrollReset
        className={classes.month}
        aria-current={one === month ? 'page' : undefined}
        aria-label={`${monthInWords(one)}, ${count === 1 ? '1 certificate expires' : `${count} certificates expire`}`}
        data-some={count > 0 || undefined}
      >
        {monthInShort(one)} <strong>{count}</strong>
      </Link>
    ))}
  </Flex>
);
