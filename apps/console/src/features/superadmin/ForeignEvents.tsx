/** Events in the log that this console did not write, and a form for a superadmin to acknowledge them. */
import { Box, Button } from '@mantine/core';
import { superadmin } from '@quarterdeck/contract';
import { foreignAcknowledgement } from '@quarterdeck/events/inputs';
import type { EventLogFacts, ForeignEvent } from '@quarterdeck/projections';
import { useRef, useState } from 'react';
import { useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { nameOfActor } from '../../records/actor';
import { absoluteTime, RelativeTime } from '../../ui/RelativeTime';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import classes from './superadmin.module.css';
import { Dim, Note } from '../../ui/Note';
import look from '../../ui/look.module.css';
import { Section } from '../../ui/Card';
import { List } from '../../ui/List';

const fields: readonly Field[] = [
  {
    name: 'reason',
    label: 'Reason',
    help: 'Name the program that wrote them, and what was done about it. The note is recorded and shown here.',
    type: 'text',
  },
];
const schema = foreignAcknowledgement.pick({ reason: true });

export const ForeignEvents = ({ open, newest }: EventLogFacts['foreign']) => (
  <Section title="Not written by this console" least={3} mt={16}>
    <Note maw="80ch" mb={12}>
      Somebody with access to the event log wrote these. They have no effect here. Find out who can write to
      the log; docs/operating.md says what else to do.
    </Note>
    {open > 0 && newest[0] && <Acknowledge upTo={newest[0].position} />}
    <List component="ol" className={`${look.parted} ${classes.events}`}>
      {newest.map((event) => (
        <Foreign key={event.position} {...event} />
      ))}
    </List>
  </Section>
);

/** @param upTo position of the newest event shown; events that arrive while the reason is typed are not included */
const Acknowledge = ({ upTo }: { upTo: string }) => {
  const [meant, setMeant] = useState<string>();
  const [acknowledge] = useChange(superadmin.acknowledge);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setMeant(undefined);
    requestAnimationFrame(() => button.current?.focus());
  };
  if (meant === undefined)
    return (
      <DisabledInPast>
        <Button ref={button} variant="default" mb="sm" onClick={() => setMeant(upTo)}>
          Acknowledge
        </Button>
      </DisabledInPast>
    );
  return (
    <ResourceForm
      label="Acknowledge events of others"
      schema={schema}
      fields={fields}
      submitLabel="Acknowledge"
      onCancel={close}
      onSubmit={async ({ reason }) => {
        await acknowledge({ upTo: meant, reason }).unwrap();
        toast.success('Acknowledged. The next event of this kind is reported again.');
        setMeant(undefined);
      }}
    />
  );
};

const Foreign = ({ position, type, stream, recordedAt, reason, acknowledged }: ForeignEvent) => (
  <li>
    <time dateTime={recordedAt} title={absoluteTime(recordedAt)}>
      <RelativeTime at={recordedAt} />
    </time>
    <span className={look.cut}>
      {type} at {position}
    </span>
    <span>
      in{' '}
      <Box component="span" ff="monospace" fw={500}>
        {stream}
      </Box>
      : {reason}
      {acknowledged && (
        <Dim display="block" mt={2} fz={12} fw={400}>
          Acknowledged by {nameOfActor(acknowledged.by)}, <RelativeTime at={acknowledged.at} />:{' '}
          {acknowledged.reason}
        </Dim>
      )}
    </span>
  </li>
);
