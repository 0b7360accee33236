/** One month: as a grid of weeks if there is room, and as a list of days. */
import { dayOf, type Day, type Ending, type ExpiryDay, type Month } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import { dayInWords, weeksOf } from './calendar';
import classes from './calendar.module.css';
import { Anchor } from '@mantine/core';
import { List } from '../../ui/List';
import { Dim } from '../../ui/Note';
import { Title } from '../../ui/heading';
import look from '../../ui/look.module.css';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** Maximum number of domains in a cell; the list below shows more. */
const IN_CELL = 3;
const SOON_MS = 7 * 86_400_000;

const toneOf = (notAfter: string, now: string): 'over' | 'soon' | undefined => {
  const left = Date.parse(notAfter) - Date.parse(now);
  if (left <= 0) return 'over';
  return left <= SOON_MS ? 'soon' : undefined;
};

const Name = ({ ending, now }: { ending: Ending; now: string }) => (
  <Link
    to={paths.domain(ending.domain, 'certificate')}
    className={`${look.mono} ${classes.name}`}
    data-tone={toneOf(ending.notAfter, now)}
  >
    {ending.serverName}
  </Link>
);

interface MonthGridProps {
  month: Month;
  days: readonly ExpiryDay[];
  now: string;
}

export const MonthGrid = ({ month, days, now }: MonthGridProps) => (
  <table className={classes.grid}>
    <thead>
      <tr>
        {WEEKDAYS.map((weekday) => (
          <th key={weekday} scope="col" abbr={weekday}>
            {weekday.slice(0, 3)}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {weeksOf(month).map((week) => (
        <tr key={week.find(Boolean)}>
          {week.map((day, index) => (
            <Cell
              key={day ?? WEEKDAYS[index]}
              day={day}
              found={days.find((one) => one.day === day)}
              now={now}
            />
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

interface CellProps {
  day: Day | undefined;
  found: ExpiryDay | undefined;
  now: string;
}

const Cell = ({ day, found, now }: CellProps) => {
  if (day === undefined) return <td className={classes.outside} />;
  const { count = 0, endings = [] } = found ?? {};
  const more = count - IN_CELL;
  return (
    <td data-today={day === dayOf(now) || undefined}>
      <time dateTime={day} className={classes.number}>
        {Number(day.slice(8))}
      </time>
      {endings.slice(0, IN_CELL).map((ending) => (
        <Name key={ending.domain} ending={ending} now={now} />
      ))}
      {more > 0 && (
        <Anchor fz={12} href={`#${day}`}>
          {more.toLocaleString('en')} more
        </Anchor>
      )}
    </td>
  );
};

export const DayList = ({ days, now }: { days: readonly ExpiryDay[]; now: string }) => (
  <List component="ol" gap={12} mt={24} aria-label="Days on which certificates expire">
    {days.map(({ day, count, endings }) => (
      <li key={day} id={day}>
        <Title least={3} mb={4}>
          <time dateTime={day}>{dayInWords(day)}</time>
        </Title>
        <List gap={4}>
          {endings.map((ending) => (
            <li key={ending.domain}>
              <Name ending={ending} now={now} />{' '}
              <Dim>
                {toneOf(ending.notAfter, now) === 'over' ? 'expired' : 'expires'} at{' '}
                {ending.notAfter.slice(11, 16)}
              </Dim>
            </li>
          ))}
          {count > endings.length && (
            <li>
              <Link to={`${paths.domains()}?f.expires=${day}`}>
                Show all {count.toLocaleString('en')} of this day
              </Link>
            </li>
          )}
        </List>
      </li>
    ))}
  </List>
);
