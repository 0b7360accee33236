/** A calendar of the ends of certificates: a month by its weeks, and the same as a list. */
import { Button } from '@mantine/core';
import { domains as domainCalls } from '@quarterdeck/contract';
import { IconBell, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import { useNow } from '../../core/past/clock';
import { paths } from '../../core/paths';
import { DataView } from '../../ui/DataView';
import { PageHeader } from '../../ui/PageHeader';
import {
  byDay,
  endingsOf,
  isMonth,
  monthInShort,
  monthInWords,
  monthOf,
  monthsAhead,
  monthsFrom,
  type Ending,
  type Month,
} from './calendar';
import classes from './calendar.module.css';
import { DayList, MonthGrid } from './MonthViews';

/** A year: no certificate that is trusted lasts longer. */
const AHEAD = 13;

export const CalendarPage = () => {
  const query = useAnswer(domainCalls.list);
  return (
    <>
      <PageHeader
        title="Expiry calendar"
        description="When the certificates of your domains expire, in UTC."
        reading={
          <Button
            component={Link}
            to={paths.alerts()}
            variant="default"
            leftSection={<IconBell size={16} aria-hidden />}
          >
            Alerts
          </Button>
        }
      />
      <DataView query={query} what="Domains">
        {(domains) => <Calendar endings={endingsOf(domains)} />}
      </DataView>
    </>
  );
};

const Calendar = ({ endings }: { endings: readonly Ending[] }) => {
  const now = new Date(useNow()).toISOString();
  const [search] = useSearchParams();
  const wanted = search.get('month') ?? '';
  const thisMonth = monthOf(now);
  const month = isMonth(wanted) ? wanted : thisMonth;
  const days = useMemo(
    () => byDay(endings.filter(({ notAfter }) => monthOf(notAfter) === month)),
    [endings, month],
  );
  const over = endings.filter(({ notAfter }) => notAfter <= now && monthOf(notAfter) !== month).length;
  return (
    <>
      <Months endings={endings} from={thisMonth} month={month} />
      <div className={classes.head}>
        <Turn to={monthsFrom(month, -1)} forward={false} />
        <h2 aria-live="polite">{monthInWords(month)}</h2>
        <Turn to={monthsFrom(month, 1)} forward />
      </div>
      <MonthGrid month={month} days={days} now={now} />
      <DayList days={days} now={now} />
      {days.size === 0 && <p className={classes.none}>No certificate expires in {monthInWords(month)}.</p>}
      {over > 0 && (
        <p className={classes.none}>
          {over} {over === 1 ? 'certificate has' : 'certificates have'} expired in other months.{' '}
          <Link to={`${paths.domains()}?sort=days`}>Show the domains by days left</Link>
        </p>
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
    size="compact-sm"
    aria-label={`${forward ? 'Next' : 'Previous'} month, ${monthInWords(to)}`}
  >
    {forward ? <IconChevronRight size={16} aria-hidden /> : <IconChevronLeft size={16} aria-hidden />}
  </Button>
);

interface MonthsProps {
  endings: readonly Ending[];
  from: Month;
  month: Month;
}

const Months = ({ endings, from, month }: MonthsProps) => (
  <nav className={classes.months} aria-label="Months">
    {monthsAhead(endings, from, AHEAD).map(({ month: one, ending }) => (
      <Link
        key={one}
        to={paths.expiryCalendar(one)}
        preventScrollReset
        className={classes.month}
        aria-current={one === month ? 'page' : undefined}
        aria-label={`${monthInWords(one)}, ${ending === 1 ? '1 end' : `${ending} ends`}`}
        data-some={ending > 0 || undefined}
      >
        {monthInShort(one)} <strong>{ending}</strong>
      </Link>
    ))}
  </nav>
);
