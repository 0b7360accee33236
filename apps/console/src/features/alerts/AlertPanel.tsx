/** Above the list of domains: the open alerts, and links to the alerts and the calendar. */
import { Button } from '@mantine/core';
import { alerts } from '@quarterdeck/contract';
import { IconBell, IconCalendar } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { useNow } from '../../core/past/clock';
import { paths } from '../../core/paths';
import { StateBadge } from '../../ui/StateBadge';
import { bannerWords, standing } from './alert-words';
import classes from './alerts.module.css';

export const AlertPanel = () => {
  const { data, fulfilledTimeStamp } = useAnswer(alerts.list, { open: true });
  const now = useNow(fulfilledTimeStamp);
  const open = standing(data ?? []);
  return (
    <section className={classes.panel} aria-label="Alerts">
      <p className={classes.panelWords}>
        {data && (
          <StateBadge
            state={open.length === 0 ? 'none' : 'open'}
            tone={open.length === 0 ? 'good' : 'warn'}
            icon={IconBell}
            label={open.length === 0 ? 'No open alerts' : `${open.length} open`}
          />
        )}
        {open.length > 0 && <span>{bannerWords(open, now)}</span>}
      </p>
      <div className={classes.buttons}>
        <Button
          component={Link}
          to={paths.alerts()}
          variant="default"
          leftSection={<IconBell size={14} aria-hidden />}
        >
          Alerts
        </Button>
        <Button
          component={Link}
          to={paths.expiryCalendar()}
          variant="default"
          leftSection={<IconCalendar size={14} aria-hidden />}
        >
          Calendar
        </Button>
      </div>
    </section>
  );
};
