/** One event: who, when, why, what it changed, the chain of what was caused with it, and the raw record. */
import { Button, Drawer } from '@mantine/core';
import type { HistoryView } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { paths } from '../../app/paths';
import { useActorName } from '../actor';
import { CopyText } from '../CopyText';
import { DataView } from '../DataView';
import { absoluteTime, RelativeTime } from '../RelativeTime';
import { changesOf, saysOf, subjectName, subjectPath, typeInWords } from './event-words';
import { useEventDetailQuery, useOlderEventsQuery } from './history.endpoints';
import classes from './history.module.css';
import { timeOfEvent } from './time-of-event';

export interface EventDrawerProps {
  /** Position of the event; closed without one. */
  position: string | undefined;
  onClose: () => void;
  onOpen: (position: string) => void;
}

export const EventDrawer = ({ position, onClose, onOpen }: EventDrawerProps) => (
  <Drawer
    opened={position !== undefined}
    onClose={onClose}
    position="right"
    size="34rem"
    title="Event"
    closeButtonProps={{ 'aria-label': 'Close event' }}
  >
    {position && <Detail key={position} position={position} onOpen={onOpen} />}
  </Drawer>
);

const Detail = ({ position, onOpen }: { position: string; onOpen: (position: string) => void }) => {
  const query = useEventDetailQuery(position);
  return (
    <DataView query={query} what="Event">
      {({ event, chain }) => (
        <>
          <What event={event} />
          <Changes event={event} />
          <Chain event={event} chain={chain} onOpen={onOpen} />
          <Raw event={event} />
        </>
      )}
    </DataView>
  );
};

const What = ({ event }: { event: HistoryView }) => {
  const nameOf = useActorName();
  const to = subjectPath(event);
  return (
    <>
      <div className={classes.title}>
        {nameOf(event.actor)} {saysOf(event, nameOf)}
      </div>
      <dl className={classes.facts}>
        <dt>What</dt>
        <dd>{typeInWords(event.type)}</dd>
        <dt>On</dt>
        <dd>{to ? <Link to={to}>{subjectName(event, nameOf)}</Link> : subjectName(event, nameOf)}</dd>
        <dt>Who</dt>
        <dd>
          <Link to={paths.history({ actor: event.actor })}>{nameOf(event.actor)}</Link>
        </dd>
        <dt>When</dt>
        <dd>
          {absoluteTime(event.at)} (<RelativeTime at={event.at} />)
        </dd>
        <dt>Why</dt>
        <dd>
          <Link to={paths.history({ cause: event.correlationId })}>Everything with the same cause</Link>
        </dd>
        <dt>Position</dt>
        <dd>
          <CopyText value={event.position} />
        </dd>
      </dl>
    </>
  );
};

const Changes = ({ event }: { event: HistoryView }) => {
  const subject = { category: event.category, id: event.subjectId };
  const { data: earlier } = useOlderEventsQuery({ subject, before: event.position, limit: 200 });
  const changes = useMemo(() => changesOf(event, earlier?.events ?? []), [event, earlier]);
  if (changes.length === 0) return null;
  const compared = changes.some(({ before }) => before !== undefined);
  return (
    <section>
      <h3 className={classes.section}>{compared ? 'Before and after' : 'Recorded'}</h3>
      <table className={classes.changes}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            {compared && <th scope="col">Before</th>}
            <th scope="col">{compared ? 'After' : 'Value'}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ field, before, after }) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              {compared && (
                <td className={before !== undefined && before !== after ? classes.before : undefined}>
                  {before ?? ''}
                </td>
              )}
              <td className={compared && before !== after ? classes.after : undefined}>{after}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

interface ChainProps {
  event: HistoryView;
  chain: readonly HistoryView[];
  onOpen: (position: string) => void;
}

const Chain = ({ event, chain, onOpen }: ChainProps) => {
  const nameOf = useActorName();
  return (
    <section>
      <h3 className={classes.section}>Chain of causes</h3>
      <ol className={classes.chain} aria-label="Chain of causes">
        {chain.map((link) => {
          const here = link.position === event.position;
          return (
            <li key={link.position} data-here={here || undefined} aria-current={here || undefined}>
              <time className={classes.time} dateTime={link.at} title={absoluteTime(link.at)}>
                {timeOfEvent(link.at)}
              </time>
              {here ? (
                <span>
                  {nameOf(link.actor)} {saysOf(link, nameOf)}
                </span>
              ) : (
                <button type="button" className={classes.link} onClick={() => onOpen(link.position)}>
                  {nameOf(link.actor)} {saysOf(link, nameOf)}
                </button>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
};

const Raw = ({ event }: { event: HistoryView }) => {
  const text = JSON.stringify(event, null, 2);
  return (
    <section>
      <h3 className={classes.section}>
        <CopyText value={text} mono={false}>
          Raw event
        </CopyText>
      </h3>
      <pre className={classes.raw} tabIndex={0} aria-label="Raw event">
        {text}
      </pre>
      <Button
        variant="default"
        size="compact-sm"
        mt="xs"
        component="a"
        href={`data:application/json,${encodeURIComponent(text)}`}
        download={`event-${event.position}.json`}
      >
        Download
      </Button>
    </section>
  );
};
