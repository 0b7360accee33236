/** One alert: its message, how it ended, and every delivery to the webhook. */
import { Box, Drawer } from '@mantine/core';
import { alertChannel, product } from '@quarterdeck/events';
import type { AlertDelivery, AlertView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { below, paths, plainPath } from '../../core/paths';
import { Actor } from '../../records/actor';
import { CopyText } from '../../ui/CopyText';
import { absoluteTime, durationInWords, RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { looks } from './alert-words';
import { Fact, Facts } from '../../ui/Facts';
import { Dim, Note } from '../../ui/Note';
import { Bullets } from '../../ui/List';
import { Title } from '../../ui/heading';

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
  if (subject.kind === 'service') return <Link to={paths.running()}>{subject.name}</Link>;
  if (subject.kind === 'alertChannel')
    return <Link to={plainPath(alertChannel, subject.id)}>{subject.name}</Link>;
  if (subject.kind === 'server') return <Link to={paths.server(subject.id)}>{subject.name}</Link>;
  if (subject.kind === 'product')
    return <Link to={plainPath(product, subject.id, below.database)}>{subject.name}</Link>;
  if (subject.kind === 'cloudaccount') return <Link to={paths.cloud()}>{subject.name}</Link>;
  return subject.kind === 'domain' && <Link to={paths.domain(subject.id)}>{subject.name}</Link>;
};

const Alert = ({ alert }: { alert: AlertView }) => {
  const { says, state, about, raisedAt, endedAt, endedBy, reason, notAfter, deliveries } = alert;
  return (
    <>
      <Box component="p" m="0 0 16px" fz={15}>
        {says}
      </Box>
      <Facts>
        <Fact label="State">
          <StateBadge state={state} {...looks[state]} />
        </Fact>
        {about !== 'test' && (
          <Fact label="About">
            <AlertSubject {...alert} />
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
        <Fact label="History">
          <Link to={paths.history({ category: 'alert', id: alert.id })}>Events</Link>
        </Fact>
        <Fact label="Id of deliveries">
          <CopyText value={alert.eventId} />
        </Fact>
      </Facts>
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
