/** A domain's details, edited in place, next to its DNS answers. */
import { domains } from '@quarterdeck/contract';
import { type DomainView, unicodeName } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useChange } from '../../core/calls';
import { toApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { By } from '../../records/actor';
import { CopyText } from '../../ui/CopyText';
import { EditInPlace, useEditBase } from '../../ui/EditInPlace';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { DnsCard } from './dns/DnsCard';
import { domainFields, domainForm, leaveField, valuesOf, withFormValues } from './domain-fields';
import { LeftFiles } from './LeftFiles';
import { SiteNames } from './SiteNames';
import type { DomainRuns } from './use-domain-runs';
import { Columns, Stacked } from '../../ui/Columns';
import { Card } from '../../ui/Card';
import { Fact, Facts } from '../../ui/Facts';
import { For, RelativeTime } from '../../ui/RelativeTime';
import { SiteAnswerBadge } from './Badges';
import { Note } from '../../ui/Note';

export const Overview = ({ domain, runs }: { domain: DomainView; runs: DomainRuns }) => (
  <Columns>
    <Stacked>
      <Card aria-label="Details">
        <EditInPlace
          title="Details"
          view={<DomainFacts domain={domain} />}
          form={(done) => <EditForm domain={domain} onDone={done} />}
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

/** Compares only what the form edits: adding a location also makes a new revision, but is no conflict. */
const sameFields = (a: DomainView, b: DomainView): boolean =>
  a.serverName === b.serverName && a.server.id === b.server.id;

const EditForm = ({ domain, onDone }: { domain: DomainView; onDone: () => void }) => {
  const [update] = useChange(domains.update);
  const { opened, revision, touch } = useEditBase(domain, sameFields);
  const initial = useMemo(() => ({ ...valuesOf(opened), leave: false }), [opened]);
  const fields = useMemo(() => [...domainFields, leaveField(opened)], [opened]);
  return (
    <ResourceForm
      label="Edit domain"
      schema={domainForm}
      fields={fields}
      initial={initial}
      submitLabel="Save"
      onCancel={onDone}
      onTouched={touch}
      onSubmit={async (data, { current }) => {
        try {
          await update({ filters: { id: domain.id }, data, revision: revision(current) }).unwrap();
        } catch (thrown) {
          throw withFormValues(toApiError(thrown));
        }
        toast.success(`${data.serverName} was saved.`);
        onDone();
      }}
    />
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
