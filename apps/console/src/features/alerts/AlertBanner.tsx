/** One yellow banner for all certificates that an alert is open about; closed, it comes back with the next alert. */
import { alerts as alertCalls } from '@quarterdeck/contract';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { banner } from '../../ui/toast';
import { bannerWords, standing } from './alert-words';

const BANNER = 'certificates-end';
/** The events of the alerts that were on the banner when it was closed. */
const CLOSED = 'quarterdeck.alerts.closed';

const closedBefore = (): ReadonlySet<string> => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(CLOSED) ?? '[]');
    return new Set(Array.isArray(kept) ? kept.map(String) : []);
  } catch {
    return new Set();
  }
};

const rememberClosed = (events: readonly string[]): void => {
  try {
    localStorage.setItem(CLOSED, JSON.stringify(events));
  } catch {
    // A browser that keeps nothing shows the banner again on the next page.
  }
};

export default function AlertBanner() {
  const { data } = useAnswer(alertCalls.list, { open: true });
  useEffect(() => {
    const alerts = standing(data ?? []);
    const closed = closedBefore();
    const words = bannerWords(alerts, Date.now());
    if (words === '' || alerts.every(({ eventId }) => closed.has(eventId))) return banner.hide(BANNER);
    banner.show(
      BANNER,
      <>
        {words} <Link to={paths.alerts()}>Show alerts</Link>
      </>,
      () => rememberClosed(alerts.map(({ eventId }) => eventId)),
    );
  }, [data]);
  useEffect(() => () => banner.hide(BANNER), []);
  return null;
}
