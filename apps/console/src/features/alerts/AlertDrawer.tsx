/** One alert: its message, how it ended, and every delivery to the webhook. */
import { Box, Drawer, Textarea } from '@mantine/core';
import { alerts, callsOf } from '@quarterdeck/contract';
import { alertChannel, product, service } from '@quarterdeck/events';
import { isStanding, type AlertDelivery, type AlertView } from '@quarterdeck/projections';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useAnswer, useChange } from '../../core/calls';
import { below, paths, plainPath } from '../../core/paths';
import { Actor } from '../../records/actor';
import { undoOf } from '../../records/history';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { CopyText } from '../../ui/CopyText';
import { absoluteTime, durationInWords, RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { AlertState, InMaintenance } from './AlertState';
import { Fact, Facts } from '../../ui/Facts';
import { Dim, Note } from '../../ui/Note';
import { Bullets } from '../../ui/List';
import { Title } from '../../ui/heading';
import { useAction } from '../../ui/use-action';

interface AlertDrawerProps {
  alert: AlertView | undefined;
  onClose: () => void;
}

export const AlertDrawer = ({ alert, onClose }: AlertDrawerProps) => (
  <Drawer
    opened={alert !== undefined}
    onClose={onClose}
    position="right"
    size="32rem"
    title="Alert"
    closeButtonProps={{ 'aria-label': 'Close alert' }}
  >
    {alert && <Alert alert={alert} />}
  </Drawer>
);

/** Links to the page where something can be done about the alert. */
export const AlertSubject = ({ about, subject }: Pick<AlertView, 'about' | 'subject'>) => {
  if (about === 'foreignEvents' || about === 'logCut')
    return <Link to={paths.superadmin()}>{subject.name}</Link>;
  if (subject.kind === 'backup') return <Link to={`${paths.superadmin()}?tab=backups`}>{subject.name}</Link>;
  if (about === 'deployApproval') return <ServiceDeploys {...subject} />;
  if (subject.kind === 'service') return <Link to={paths.running()}>{subject.name}</Link>;
  if (subject.kind === 'alertChannel')
    return <Link to={plainPath(alertChannel, subject.id)}>{subject.name}</Link>;
  if (subject.kind === 'server') return <Link to={paths.server(subject.id)}>{subject.name}</Link>;
  if (subject.kind === 'product')
    return <Link to={plainPath(product, subject.id, below.database)}>{subject.name}</Link>;
  if (subject.kind === 'run') return <Link to={paths.run(subject.id)}>{subject.name}</Link>;
  if (subject.kind === 'cloudaccount') return <Link to={paths.cloud()}>{subject.name}</Link>;
  return subject.kind === 'domain' && <Link to={paths.domain(subject.id)}>{subject.name}</Link>;
};

/** Where the version can be approved: the page of a service is below that of its product. */
const ServiceDeploys = ({ id, name }: AlertView['subject']) => {
  const { data } = useAnswer(callsOf(service).detail, { id });
  const of = data === undefined ? undefined : String((data as { product?: unknown }).product);
  if (of === undefined) return <>{name}</>;
  return <Link to={plainPath(product, of, `${below.service}/${id}/detail/deploy`)}>{name}</Link>;
};

const Alert = ({ alert }: { alert: AlertView }) => {
  const { says, about, raisedAt, endedAt, endedBy, reason, notAfter, deliveries, acknowledged, maintenance } =
    alert;
  return (
    <>
      <Box component="p" m="0 0 16px" fz={15}>
        {says}
      </Box>
      <Facts>
        <Fact label="State">
          <AlertState alert={alert} />
        </Fact>
        {about !== 'test' && (
          <Fact label="About">
            <AlertSubject {...alert} />
          </Fact>
        )}
        {maintenance && (
          <Fact label="Maintenance">
            <InMaintenance alert={alert} maintenance={maintenance} />
          </Fact>
        )}
        {notAfter && <Fact label="Certificate expires">{absoluteTime(notAfter)}</Fact>}
        <Fact label="Raised">
          <RelativeTime at={raisedAt} />
        </Fact>
        {endedAt && (
          <Fact label="Ended">
            <RelativeTime at={endedAt} />
            {endedBy && (
              <>
                , by <Actor id={endedBy} inSentence />
              </>
            )}
            {reason && `: ${reason}`}
          </Fact>
        )}
        {acknowledged && (
          <Fact label="Acknowledged">
            by <Actor id={acknowledged.by} inSentence /> <RelativeTime at={acknowledged.at} />
            {acknowledged.note !== '' && `: ${acknowledged.note}`}
          </Fact>
        )}
        <Fact label="History">
          <Link to={paths.history({ category: 'alert', id: alert.id })}>Events</Link>
        </Fact>
        <Fact label="Id of deliveries">
          <CopyText value={alert.eventId} />
        </Fact>
      </Facts>
      {isStanding(alert) && <Acknowledge id={alert.id} />}
      <Title least={3} m="24px 0 8px">
        Webhook
      </Title>
      {deliveries.length === 0 && <Note>No delivery was attempted.</Note>}
      <Bullets component="ol" mb={8} aria-label="Attempts">
        {deliveries.map((delivery) => (
          <Attempt key={delivery.attempt} delivery={delivery} />
        ))}
      </Bullets>
      {alert.nextAttemptAt && deliveries.length > 0 && (
        <Note>
          Next attempt <RelativeTime at={alert.nextAttemptAt} />.
        </Note>
      )}
    </>
  );
};

/** Somebody takes care of it. */
const Acknowledge = ({ id }: { id: string }) => {
  const [acknowledge, { isLoading }] = useChange(alerts.acknowledge);
  const { act, failure, dismiss } = useAction();
  const [note, setNote] = useState('');
  return (
    <Box component="section" aria-label="Acknowledge" mt={24}>
      <Textarea
        label="Note"
        description="What is being done. Nothing more is sent about the alert until it is over."
        value={note}
        maxLength={500}
        rows={2}
        mb={8}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <DisabledInPast>
        <Action
          icon={IconCheck}
          loading={isLoading}
          does={() =>
            act({
              send: () => acknowledge({ id, note }).unwrap(),
              done: 'The alert was acknowledged.',
              failed: 'It was not acknowledged',
              offer: undoOf({ category: 'alert', id }),
            })
          }
        >
          Acknowledge
        </Action>
      </DisabledInPast>
      <ActionFailure failure={failure} onClose={dismiss} />
    </Box>
  );
};

const Attempt = ({ delivery }: { delivery: AlertDelivery }) => {
  const { reason, status, durationMs, at } = delivery;
  return (
    <li>
      <StateBadge
        state={reason === undefined ? 'succeeded' : 'failed'}
        label={reason === undefined ? `status ${status}` : reason}
      />
      <Dim display="block">
        <RelativeTime at={at} />, after {durationInWords(durationMs)}
      </Dim>
    </li>
  );
};
