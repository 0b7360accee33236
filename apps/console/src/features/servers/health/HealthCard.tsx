/** A server's health at a glance, from its newest probe. */
import { IconCircleCheck, IconCircleMinus, IconCircleX, IconPlayerPause } from '@tabler/icons-react';
import type { ServerView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { useNewestHealth } from '../../../records/health';
import { ServerVerdictBadge } from '../../../records/verdicts';
import { paths } from '../../../core/paths';
import { RelativeTime } from '../../../ui/RelativeTime';
import { StateBadge } from '../../../ui/StateBadge';
import { dockerWords, nginxWords, uptimeInWords, type Service } from './health-words';
import { Measures } from './Measures';
import { Card } from '../../../ui/Card';
import { Fact, Facts } from '../../../ui/Facts';
import { Note } from '../../../ui/Note';

export const HealthCard = ({ server }: { server: ServerView }) => {
  const newest = useNewestHealth(server.id);
  const figures = newest?.ok ? newest : undefined;
  const reason = newest?.ok === false ? newest.reason : undefined;
  return (
    <Card title="Health" actions={<Link to={paths.server(server.id, 'health')}>History</Link>}>
      {figures && <Measures figures={figures} detailed />}
      <Facts>
        <Fact label="State">
          <ServerVerdictBadge server={server} />
        </Fact>
        {reason && <Fact label="Last check">{reason}</Fact>}
        <Fact label="Last seen">
          {newest?.seenAt ? (
            <RelativeTime at={newest.seenAt} />
          ) : newest || !server.health ? (
            'never'
          ) : (
            // Checks have a result, but their samples have not been loaded.
            'not known'
          )}
        </Fact>
        {figures?.uptimeSeconds !== undefined && (
          <Fact label="Up for">{uptimeInWords(figures.uptimeSeconds)}</Fact>
        )}
        {figures && <ServiceFact name="Docker" service={dockerWords(figures)} />}
        {figures && <ServiceFact name="nginx" service={nginxWords(figures)} />}
      </Facts>
      {!server.health && !newest && (
        <Note below>Checks start with the first contact. The first values appear in a moment.</Note>
      )}
    </Card>
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
    <Fact label={name}>
      <StateBadge state={service.words} tone={service.tone} icon={icons[service.tone]} />
    </Fact>
  );
