/** The state of an alert, and whether it waits for the end of maintenance. */
import { callsOf } from '@quarterdeck/contract';
import { maintenanceWindow } from '@quarterdeck/events';
import { silenceOf, type AlertView, type MaintenanceFields } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { useNow } from '../../core/as-of/clock';
import { useAnswer } from '../../core/calls';
import { plainPath } from '../../core/paths';
import { absoluteTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { stateLook } from './alert-words';

type Shown = Pick<AlertView, 'state' | 'acknowledged' | 'maintenance'>;
type Window = MaintenanceFields & { id: string };

/** For each alert the end of the window in which it began; undefined if it is not open, or that is over or was removed. */
export const useMaintenanceEnd = (alerts: readonly Shown[]): ((alert: Shown) => number | undefined) => {
  const now = useNow();
  const isOpen = ({ state }: Shown): boolean => state === 'open';
  const isAsked = alerts.some((alert) => isOpen(alert) && alert.maintenance !== undefined);
  const { data } = useAnswer(callsOf(maintenanceWindow).list, {}, { skip: !isAsked });
  return (alert) => {
    const windows = isOpen(alert) ? ((data ?? []) as readonly Window[]) : [];
    const began = windows.find(({ id }) => id === alert.maintenance?.id);
    return began && silenceOf(began)(now);
  };
};

export const AlertState = ({ alert }: { alert: Shown }) => {
  const isMaintained = useMaintenanceEnd([alert])(alert) !== undefined;
  return <StateBadge state={alert.state} {...stateLook(alert, isMaintained)} />;
};

export const InMaintenance = ({
  alert,
  maintenance: { id, name },
}: {
  alert: Shown;
  maintenance: NonNullable<Shown['maintenance']>;
}) => {
  const end = useMaintenanceEnd([alert])(alert);
  return (
    <>
      Began in <Link to={plainPath(maintenanceWindow, id)}>{name}</Link>.
      {end !== undefined &&
        !alert.acknowledged &&
        ` Nothing is sent about it before ${absoluteTime(new Date(end).toISOString())}.`}
    </>
  );
};
