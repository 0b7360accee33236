/** One alert: its message, how it ended, and every delivery to the webhook. */
import { Drawer } from '@mantine/core';
import type { AlertDelivery, AlertView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import { Actor } from '../../records/actor';
import { CopyText } from '../../ui/CopyText';
import { absoluteTime, durationInWords, RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { looks } from './alert-words';
import classes from './alerts.module.css';
import { Facts } from '../../ui/Facts';

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
  if (about === 'foreignEvents') return <Link to={paths.superadmin()}>{subject.name}</Link>;
  if (subject.kind === 'backup') return <Link to={`${paths.superadmin()}?tab=backups`}>{subject.name}</Link>;
  if (subject.kind === 'service') return <Link to={paths.running()}>{subject.name}</Link>;
  return subject.kind === 'domain' && <Link to={paths.domain(subject.id)}>{subject.name}</Link>;
};

const Alert = ({ alert }: { alert: AlertView }) => {
  const { says, state, about, raisedAt, endedAt, endedBy, reason, notAfter, deliveries } = alert;
  return (
    <>
      <p className={classes.says}>{says}</p>
      <Facts
        facts={[
          ['State', <StateBadge state={state} {...looks[state]} />],
          about !== 'test' && ['About', <AlertSubject {...alert} />],
          notAfter && ['Certificate expires', absoluteTime(notAfter)],
          ['Raised', <RelativeTime at={raisedAt} />],
          endedAt && [
            'Ended',
            <>
              <RelativeTime at={endedAt} />
              {endedBy && (
                <>
                  , by <Actor id={endedBy} />
                </>
              )}
              {reason && `: ${reason}`}
            </>,
          ],
          ['History', <Link to={paths.history({ category: 'alert', id: alert.id })}>Events</Link>],
          ['Id of deliveries', <CopyText value={alert.eventId} />],
        ]}
      />
      <h3 className={classes.subhead}>Webhook</h3>
      {deliveries.length === 0 && <p className={classes.hint}>No delivery was attempted.</p>}
      <ol className={classes.deliveries} aria-label="Attempts">
        {deliveries.map((delivery) => (
          <Attempt key={delivery.attempt} delivery={delivery} />
        ))}
      </ol>
      {alert.nextAttemptAt && deliveries.length > 0 && (
        <p className={classes.hint}>
          Next attempt <RelativeTime at={alert.nextAttemptAt} />.
        </p>
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
      <span className={classes.hint}>
        <RelativeTime at={at} />, after {durationInWords(durationMs)}
      </span>
    </li>
  );
};
