/** A server's facts, seen or edited in place, and beside them its health and the two keys on which everything stands. */
import { SegmentedControl } from '@mantine/core';
import { serverEdit } from '@quarterdeck/events/inputs';
import type { ServerView } from '@quarterdeck/projections';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Actor } from '../../ui/actor';
import { CopyText } from '../../ui/CopyText';
import { RelativeTime } from '../../ui/RelativeTime';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { HealthCard } from './health/HealthCard';
import { HostKeyCard } from './HostKeyCard';
import { PrivateKeyCard } from './PrivateKeyCard';
import { useUpdateServerMutation } from './server.endpoints';
import { serverFields } from './server-fields';
import { SetUpCard } from './SetUpCard';
import type { SetUp } from './set-ups';
import classes from './servers.module.css';

interface OverviewProps {
  server: ServerView;
  onSetUp: (what: SetUp) => void;
}

export const Overview = ({ server, onSetUp }: OverviewProps) => {
  const [params, setParams] = useSearchParams();
  const mode = params.get('mode') === 'edit' ? 'edit' : 'view';
  const setMode = (to: string) =>
    setParams(to === 'edit' ? { mode: 'edit' } : {}, { preventScrollReset: true });
  return (
    <div className={classes.overview}>
      <div className={classes.column}>
        <section className={classes.card} aria-label="Details">
          <div className={classes.cardHead}>
            <h2>Details</h2>
            <SegmentedControl
              aria-label="Mode"
              size="xs"
              value={mode}
              onChange={setMode}
              data={[
                { value: 'view', label: 'View' },
                { value: 'edit', label: 'Edit' },
              ]}
            />
          </div>
          {mode === 'edit' ? (
            <EditForm server={server} onDone={() => setMode('view')} />
          ) : (
            <Facts server={server} />
          )}
        </section>
        <SetUpCard server={server} onSetUp={onSetUp} />
      </div>
      <div className={classes.column}>
        <HealthCard server={server} />
        <HostKeyCard server={server} />
        <PrivateKeyCard server={server} />
      </div>
    </div>
  );
};

const Facts = ({ server }: { server: ServerView }) => (
  <dl className={classes.facts}>
    <dt>Alias</dt>
    <dd>{server.alias}</dd>
    {(['host', 'port', 'username', 'root', 'path', 'nginxPath'] as const).map((name) => (
      <div key={name} className={classes.fact}>
        <dt>{serverFields.find((field) => field.name === name)?.label}</dt>
        <dd>
          <CopyText value={String(server[name])} />
        </dd>
      </div>
    ))}
    <dt>Added</dt>
    <dd>
      by <Actor id={server.registeredBy} /> <RelativeTime at={server.registeredAt} />
    </dd>
    <dt>Last changed</dt>
    <dd>
      by <Actor id={server.changedBy} /> <RelativeTime at={server.changedAt} />
    </dd>
    <dt>Id</dt>
    <dd>
      <CopyText value={server.id} />
    </dd>
  </dl>
);

const isServer = (value: unknown): value is ServerView =>
  typeof value === 'object' && value !== null && 'revision' in value;

/** Whether what the form edits is the same in both; a pinned host key also makes a new revision, and is no conflict. */
const sameFields = (a: ServerView, b: ServerView): boolean =>
  serverFields.every(({ name }) => a[name as keyof ServerView] === b[name as keyof ServerView]);

const EditForm = ({ server, onDone }: { server: ServerView; onDone: () => void }) => {
  const [update] = useUpdateServerMutation();
  // The version that the form opened with: what comes by push meanwhile is somebody else's change, not a newer base.
  const [opened] = useState(server);
  return (
    <ResourceForm
      label="Edit server"
      schema={serverEdit}
      fields={serverFields}
      initial={{ ...opened }}
      submitLabel="Save"
      onCancel={onDone}
      onSubmit={async (data, { current }) => {
        const base = isServer(current) ? current : sameFields(opened, server) ? server : opened;
        await update({ id: server.id, data, revision: base.revision }).unwrap();
        toast.success(`${data.alias} was saved.`);
        onDone();
      }}
    />
  );
};
