/** A server's health at a glance, from its newest probe. */
import { IconCircleCheck, IconCircleMinus, IconCircleX, IconPlayerPause } from '@tabler/icons-react';
import type { ServerView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { useNewestHealth } from '../../../records/health';
import { ServerVerdictBadge } from '../../../records/verdicts';
import { paths } from '../../../core/paths';
import { RelativeTime } from '../../../ui/RelativeTime';
import { StateBadge } from '../../../ui/StateBadge';
import servers from '../servers.module.css';
import classes from './health.module.css';
import { dockerWords, nginxWords, uptimeInWords, type Service } from './health-words';
import { Measures } from './Measures';

export const HealthCard = ({ server }: { server: ServerView }) => {
  const newest = useNewestHealth(server.id);
  const figures = newest?.ok ? newest : undefined;
  const reason = newest?.ok === false ? newest.reason : undefined;
  return (
    <section className={servers.card} aria-label="Health">
      <div className={servers.cardHead}>
        <h2>Health</h2>
        <Link to={paths.server(server.id, 'health')}>History</Link>
      </div>
      {figures && <Measures figures={figures} detailed />}
      <dl className={`${servers.facts} ${classes.facts}`}>
        <dt>State</dt>
        <dd>
          <ServerVerdictBadge server={server} />
        </dd>
        {reason && (
          <>
            <dt>Last check</dt>
            <dd>{reason}</dd>
          </>
        )}
        <dt>Last seen</dt>
        <dd>
          {newest?.seenAt ? (
            <RelativeTime at={newest.seenAt} />
          ) : newest || !server.health ? (
            'never'
          ) : (
            // Checks have a result, but their samples have not been loaded.
            'not known'
          )}
        </dd>
        {figures?.uptimeSeconds !== undefined && (
          <>
            <dt>Up for</dt>
            <dd>{uptimeInWords(figures.uptimeSeconds)}</dd>
          </>
        )}
        {figures && <ServiceFact name="Docker" service={dockerWords(figures)} />}
        {figures && <ServiceFact name="nginx" service={nginxWords(figures)} />}
      </dl>
      {!server.health && !newest && (
        <p className={servers.hint}>
          Checks start with the first contact. The first values appear in a moment.
        </p>
      )}
    </section>
  );
};

const icons = {
  good: IconCircleCheck,
  bad: IconCircleX,
  warn: IconPlayerPause,
  quiet: IconCircleMinus,
} as const;

const ServiceFact = ({ name, service }: { name: string; service: Service | undefined }) =>
  service && (
    <>
      <dt>{name}</dt>
      <dd>
        <StateBadge state={service.words} tone={service.tone} icon={icons[service.tone]} />
      </dd>
    </>
  );
