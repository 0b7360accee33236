/** The newest events of the history, with one line for all events of one cause. */
import { history } from '@quarterdeck/contract';
import { doerOf, saysOf, subjectName, type HistoryView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { useActorName } from '../../records/actor';
import { DataView } from '../../ui/DataView';
import { RelativeTime } from '../../ui/RelativeTime';
import { LinesLoading } from './LinesLoading';
import classes from './home.module.css';
import { Dim, Note } from '../../ui/Note';
import { Lines } from '../../ui/List';
import { Section } from '../../ui/Card';
import { Text } from '@mantine/core';
import look from '../../ui/look.module.css';

const FETCHED = 40;
const SHOWN = 8;

export interface Change {
  newest: HistoryView;
  size: number;
}

/** Groups events (newest first) into one entry per cause. */
export const changesOf = (events: readonly HistoryView[]): Change[] => {
  const changes = new Map<string, Change>();
  for (const event of events) {
    const known = changes.get(event.correlationId);
    if (known) known.size += 1;
    else changes.set(event.correlationId, { newest: event, size: 1 });
  }
  return [...changes.values()];
};

export const LatestChanges = () => (
  <Section title="Latest changes">
    <DataView
      query={useAnswer(history.list, { limit: FETCHED })}
      what="Latest changes"
      loading={<LinesLoading lines={SHOWN} />}
    >
      {({ events }) => (
        <Lines>
          {changesOf(events)
            .slice(0, SHOWN)
            .map((change) => (
              <li key={change.newest.correlationId}>
                <ChangeLine change={change} />
              </li>
            ))}
        </Lines>
      )}
    </DataView>
    <Note m="8px 0 0" fz={13}>
      <Link to={paths.history()}>Full history</Link>
    </Note>
  </Section>
);

const ChangeLine = ({ change: { newest, size } }: { change: Change }) => {
  const nameOf = useActorName();
  const says = saysOf(newest, nameOf);
  const subject = subjectName(newest, nameOf);
  const others = size - 1;
  const doer = doerOf(newest, nameOf);
  return (
    <Link to={`${paths.history()}?event=${newest.position}`} className={classes.change}>
      <Text span inherit lineClamp={2} className={look.wrap}>
        {doer !== '' && (
          <>
            <Text span inherit fw={500}>
              {doer}
            </Text>{' '}
          </>
        )}
        {says}
        {doer === subject || says.includes(subject) ? '' : `: ${subject}`}
      </Text>
      <Dim fz={12}>
        <RelativeTime at={newest.at} />
        {others > 0 && `, with ${others} related ${others === 1 ? 'event' : 'events'}`}
      </Dim>
    </Link>
  );
};
