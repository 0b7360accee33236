/** A domain's details, edited in place, next to its DNS answers. */
import { domains } from '@quarterdeck/contract';
import { unicodeName, type DomainView } from '@quarterdeck/projections';
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
import classes from './domains.module.css';
import { LeftFiles } from './LeftFiles';
import { SiteCard } from './SiteCard';
import { SiteNames } from './SiteNames';
import type { DomainRuns } from './use-domain-runs';

export const Overview = ({ domain, runs }: { domain: DomainView; runs: DomainRuns }) => (
  <div className={classes.overview}>
    <div className={classes.column}>
      <section className={classes.card} aria-label="Details">
        <EditInPlace
          title="Details"
          view={<Facts domain={domain} />}
          form={(done) => <EditForm domain={domain} onDone={done} />}
        />
      </section>
      <SiteNames domain={domain} />
    </div>
    <div className={classes.column}>
      <SiteCard domain={domain} />
      <DnsCard domain={domain} />
    </div>
    <LeftFiles domain={domain} runs={runs} />
  </div>
);

const Facts = ({ domain }: { domain: DomainView }) => {
  const { id, serverName, server, addedBy, addedAt, changedBy, changedAt } = domain;
  const readable = unicodeName(serverName);
  return (
    <dl className={classes.facts}>
      <dt>Domain name</dt>
      <dd>
        <CopyText value={serverName} />
      </dd>
      {readable !== serverName && (
        <>
          <dt>In Unicode</dt>
          <dd>
            <CopyText value={readable} />
          </dd>
        </>
      )}
      <dt>Server</dt>
      <dd>
        <Link to={paths.server(server.id)}>{server.alias ?? server.id}</Link>
      </dd>
      {server.host && (
        <>
          <dt>Host</dt>
          <dd>
            <CopyText value={server.host} />
          </dd>
        </>
      )}
      <dt>Added</dt>
      <dd>
        <By id={addedBy} at={addedAt} />
      </dd>
      <dt>Last changed</dt>
      <dd>
        <By id={changedBy} at={changedAt} />
      </dd>
      <dt>Id</dt>
      <dd>
        <CopyText value={id} />
      </dd>
    </dl>
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
