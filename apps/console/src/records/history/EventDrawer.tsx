/** One event: who, when, why, what it changed, its chain of causes, and the raw record. */
import { Anchor, Box, Button, Drawer, Group } from '@mantine/core';
import { history } from '@quarterdeck/contract';
import type { Difference, HistoryView } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { Link as RouterLink } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { useActorName } from '../actor';
import { CopyText } from '../../ui/CopyText';
import { DataView } from '../../ui/DataView';
import { absoluteTime, RelativeTime } from '../../ui/RelativeTime';
import { withDepths } from './chain-depths';
import { ChangesTable } from './ChangesTable';
import { placeWords, sentenceOf, subjectName, subjectPath, typeInWords } from './event-words';
import { type EventDetail } from './history.endpoints';
import classes from './drawers.module.css';
import { timeOfEvent } from './time-of-event';
import { UndoButton } from './UndoButton';
import { useAskedUndo } from './undoing';
import { Fact, Facts } from '../../ui/Facts';
import look from '../../ui/look.module.css';
import { Note, TextBlock } from '../../ui/Note';
import { List } from '../../ui/List';
import { Title } from '../../ui/heading';

export interface EventDrawerProps {
  /** Position of the event; the drawer is closed without one. */
  position: string | undefined;
  onClose: () => void;
  onOpen: (position: string) => void;
  /** Shows what has changed since the event. */
  onCompare?: ((position: string) => void) | undefined;
}

export const EventDrawer = ({ position, onClose, onOpen, onCompare }: EventDrawerProps) => (
  <Drawer
    opened={position !== undefined}
    onClose={onClose}
    position="right"
    size="34rem"
    title="Event"
    closeButtonProps={{ 'aria-label': 'Close event' }}
    // While the undo dialog is open above the drawer, Escape closes only the dialog.
    closeOnEscape={useAskedUndo() === undefined}
  >
    {position && <Detail key={position} position={position} onOpen={onOpen} onCompare={onCompare} />}
  </Drawer>
);

interface DetailProps extends Pick<EventDrawerProps, 'onOpen' | 'onCompare'> {
  position: string;
}

const Detail = ({ position, onOpen, onCompare }: DetailProps) => {
  const query = useAnswer(history.detail, { position: position });
  return (
    <DataView query={query} what="Event">
      {(detail) => (
        <>
          <What detail={detail} onOpen={onOpen} />
          <Changes changes={detail.changes} />
          <Group gap="xs" mt="md">
            {onCompare && (
              <Button variant="default" onClick={() => onCompare(position)}>
                Changes since
              </Button>
            )}
            <UndoButton event={detail.event} />
          </Group>
          <Chain detail={detail} onOpen={onOpen} />
          <Raw event={detail.event} />
        </>
      )}
    </DataView>
  );
};

interface PartProps {
  detail: EventDetail;
  onOpen: (position: string) => void;
}

const What = ({ detail: { event, chain }, onOpen }: PartProps) => {
  const nameOf = useActorName();
  const own = chain.find(({ position }) => position === event.position);
  const cause = chain.find(({ position }) => position === own?.cause);
  const to = subjectPath(event);
  const within = placeWords(event);
  return (
    <>
      <Box className={look.wrap} fz={16} fw={600}>
        {sentenceOf(event, nameOf)}
      </Box>
      <Facts my="md">
        <Fact label="What">{typeInWords(event.type)}</Fact>
        <Fact label="On">
          {to ? <RouterLink to={to}>{subjectName(event, nameOf)}</RouterLink> : subjectName(event, nameOf)}
          {within && ` in ${within}`}
        </Fact>
        <Fact label="Who">
          <RouterLink to={paths.history({ actor: event.actor })}>{nameOf(event.actor)}</RouterLink>
        </Fact>
        <Fact label="When">
          {absoluteTime(event.at)} (<RelativeTime at={event.at} />)
        </Fact>
        <Fact label="Why">
          {cause ? (
            <Anchor component="button" inherit ta="left" type="button" onClick={() => onOpen(cause.position)}>
              {sentenceOf(cause, nameOf)}
            </Anchor>
          ) : event.actor === 'system' ? (
            'Quarterdeck did this automatically'
          ) : (
            `${nameOf(event.actor)} requested it`
          )}
        </Fact>
        <Fact label="Position">
          <CopyText value={event.position} />
        </Fact>
      </Facts>
    </>
  );
};

const Changes = ({ changes }: { changes: readonly Difference[] }) => {
  if (changes.length === 0) return null;
  const compared = changes.some(({ before }) => before !== undefined);
  return (
    <section>
      <Title least={3} m="24px 0 8px">
        {compared ? 'Before and after' : 'Recorded'}
      </Title>
      <ChangesTable changes={changes} compared={compared} />
    </section>
  );
};

const Chain = ({ detail: { event, chain, chainLength }, onOpen }: PartProps) => {
  const nameOf = useActorName();
  const links = useMemo(() => withDepths(chain), [chain]);
  return (
    <section>
      <Title least={3} m="24px 0 8px">
        Chain of causes
      </Title>
      <List component="ol" className={classes.chain} aria-label="Chain of causes">
        {links.map((link) => {
          const here = link.position === event.position;
          return (
            <li
              key={link.position}
              data-here={here || undefined}
              style={{ paddingLeft: 14 * Math.min(link.depth, 6) }}
              aria-current={here || undefined}
            >
              <time dateTime={link.at} title={absoluteTime(link.at)}>
                {timeOfEvent(link.at)}
              </time>
              {here ? (
                <span>{sentenceOf(link, nameOf)}</span>
              ) : (
                <Anchor
                  component="button"
                  inherit
                  ta="left"
                  type="button"
                  onClick={() => onOpen(link.position)}
                >
                  {sentenceOf(link, nameOf)}
                </Anchor>
              )}
            </li>
          );
        })}
      </List>
      <Note m="8px 0 0">
        {chain.length < chainLength &&
          `${chain.length} of ${chainLength.toLocaleString('en')} events: the first ones, and those around this one. `}
        <RouterLink to={paths.history({ cause: event.correlationId })}>
          Everything with the same cause
        </RouterLink>
      </Note>
    </section>
  );
};

const Raw = ({ event }: { event: HistoryView }) => {
  const text = JSON.stringify(event, null, 2);
  return (
    <section>
      <Box component="h3" m="24px 0 8px" fz={14} fw={600}>
        <CopyText value={text} mono={false}>
          Raw event
        </CopyText>
      </Box>
      <TextBlock mah={320} tabIndex={0} aria-label="Raw event">
        {text}
      </TextBlock>
      <Button
        variant="default"
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
