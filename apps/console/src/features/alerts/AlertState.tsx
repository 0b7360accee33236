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

/** The end of the window in which an open alert began; undefined if that is over, or was removed. */
const useMaintenanceEnd = ({ state, maintenance }: Shown): number | undefined => {
  const now = useNow();
  const isAsked = state === 'open' && maintenance !== undefined;
  const { data } = useAnswer(callsOf(maintenanceWindow).list, {}, { skip: !isAsked });
  const window = isAsked && (data as readonly Window[] | undefined)?.find(({ id }) => id === maintenance.id);
  return window ? silenceOf(window)(now) : undefined;
};

export const AlertState = ({ alert }: { alert: Shown }) => {
  const isMaintained = useMaintenanceEnd(alert) !== undefined;
  return <StateBadge state={alert.state} {...stateLook(alert, isMaintained)} />;
};

export const InMaintenance = ({
  alert,
  maintenance: { id, name },
}: {
  alert: Shown;
  maintenance: NonNullable<Shown['maintenance']>;
}) => {
  const end = useMaintenanceEnd(alert);
  return (
    <>
      Began in <Link to={plainPath(maintenanceWindow, id)}>{name}</Link>.
      {end !== undefined &&
        !alert.acknowledged &&
        ` Nothing is sent about it before ${absoluteTime(new Date(end).toISOString())}.`}
    </>
  );
};
