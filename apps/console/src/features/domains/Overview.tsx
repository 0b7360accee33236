/** A domain's details, edited in place, next to its DNS answers. */
import { type DomainView, unicodeName } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import { By } from '../../records/actor';
import { CopyText } from '../../ui/CopyText';
import { EditInPlace } from '../../ui/EditInPlace';
import { part } from '../../ui/part';
import { DnsCard } from './dns/DnsCard';
import { LeftFiles } from './LeftFiles';
import { SiteNames } from './SiteNames';
import type { DomainRuns } from './use-domain-runs';
import { Columns, Stacked } from '../../ui/Columns';
import { Card } from '../../ui/Card';
import { Fact, Facts } from '../../ui/Facts';
import { For, RelativeTime } from '../../ui/RelativeTime';
import { SiteAnswerBadge } from './Badges';
import { Note } from '../../ui/Note';

const DomainForm = part(
  () => import('./DomainForm').then((all) => ({ default: all.DomainForm })),
  'Loading the form',
);

export const Overview = ({ domain, runs }: { domain: DomainView; runs: DomainRuns }) => (
  <Columns>
    <Stacked>
      <Card aria-label="Details">
        <EditInPlace
          title="Details"
          view={<DomainFacts domain={domain} />}
          form={(done) => <DomainForm domain={domain} onDone={done} />}
        />
      </Card>
      <SiteNames domain={domain} />
    </Stacked>
    <Stacked>
      <SiteCard domain={domain} />
      <DnsCard domain={domain} />
    </Stacked>
    <LeftFiles domain={domain} runs={runs} />
  </Columns>
);

const DomainFacts = ({ domain }: { domain: DomainView }) => {
  const { id, serverName, server, addedBy, addedAt, changedBy, changedAt } = domain;
  const readable = unicodeName(serverName);
  return (
    <Facts>
      <Fact label="Domain name">
        <CopyText value={serverName} />
      </Fact>
      {readable !== serverName && (
        <Fact label="In Unicode">
          <CopyText value={readable} />
        </Fact>
      )}
      <Fact label="Server">
        <Link to={paths.server(server.id)}>{server.alias ?? server.id}</Link>
      </Fact>
      {server.host && (
        <Fact label="Host">
          <CopyText value={server.host} />
        </Fact>
      )}
      <Fact label="Added">
        <By id={addedBy} at={addedAt} />
      </Fact>
      <Fact label="Last changed">
        <By id={changedBy} at={changedAt} />
      </Fact>
      <Fact label="Id">
        <CopyText value={id} />
      </Fact>
    </Facts>
  );
};

/** Who answers for the site: what the last look found, and when that was. */
const SiteCard = ({ domain }: { domain: DomainView }) => {
  const { answer, lookedAt, config } = domain;
  return (
    <Card title="Site">
      <Facts>
        <Fact label="State">
          <SiteAnswerBadge domain={domain} />{' '}
          {config && answer && (
            <>
              <For since={answer.at} />
            </>
          )}
        </Fact>
        {config && answer && <Fact label="Seen">{answer.says}</Fact>}
        {config && lookedAt !== undefined && (
          <Fact label="Last look">
            <RelativeTime at={lookedAt} />
          </Fact>
        )}
      </Facts>
      {config && answer?.is === 'unproven' && (
        <Note below>
          The live configuration was written before sites could prove themselves, or by hand. Apply the
          configuration again to know that this site answers, and not another one.
        </Note>
      )}
    </Card>
  );
};
