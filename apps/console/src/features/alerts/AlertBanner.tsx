/** Adds the open alerts outside maintenance to the notices: each one to the inbox, and one banner for all of them. */
import { alerts as alertCalls } from '@quarterdeck/contract';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { useNotices, type Notice } from '../../records/notices';
import look from '../../ui/look.module.css';
import { useMaintenanceEnd } from './AlertState';
import { bannerWords, standing } from './alert-words';

export default function AlertBanner() {
  const { data, error } = useAnswer(alertCalls.list, { open: true });
  const endOf = useMaintenanceEnd(data ?? []);
  const silent = (data ?? [])
    .filter((alert) => endOf(alert) !== undefined)
    .map(({ id }) => id)
    .join(' ');
  const alerts = useMemo(
    () => data && standing(data).filter(({ id }) => !silent.includes(id)),
    [data, silent],
  );
  const notices = useMemo(
    () =>
      alerts?.map(({ id, eventId, says, raisedAt }): Notice => ({
        id: `alert/${id}`,
        // An alert raised again after it was resolved is a new notice.
        mark: eventId,
        message: (
          <>
            {says} <Link to={paths.alerts(id)}>Show alert</Link>
          </>
        ),
        at: raisedAt,
      })),
    [alerts],
  );
  useNotices('alerts', notices ?? (error === undefined ? undefined : 'failed'), () => (
    <>
      <span className={look.brief}>{bannerWords(alerts ?? [], Date.now())}</span>{' '}
      <Link to={paths.alerts()}>Show alerts</Link>
    </>
  ));
  return null;
}
