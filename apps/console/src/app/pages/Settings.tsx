/** What a workspace chooses for itself. Health checks are the first of it; each section stands for itself. */
import { healthChecks } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import { useState } from 'react';
import { DataView } from '../../ui/DataView';
import { PageHeader } from '../../ui/PageHeader';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { useSession } from '../session';
import { useConfigureHealthChecksMutation, useWorkspaceQuery } from '../workspace.endpoints';
import styles from './Settings.module.css';

const fields: readonly Field[] = [
  {
    name: 'everySeconds',
    label: 'Seconds between two checks',
    type: 'number',
    help: 'From 5 to 3600. Every server is checked at this interval, each at a moment of its own.',
  },
  {
    name: 'failures',
    label: 'Failed checks',
    type: 'number',
    half: true,
    help: 'So many have to fail before a server counts as unreachable.',
  },
  {
    name: 'outOf',
    label: 'Of the last',
    type: 'number',
    half: true,
    help: 'So many checks are looked at, at most 20.',
  },
];

export default function Settings() {
  const { can, instance } = useSession();
  return (
    <>
      <PageHeader title="Settings" description={`Of the workspace ${instance.name}.`} />
      {can('admin') ? (
        <HealthChecks />
      ) : (
        <p>
          The settings of the workspace are made by its administrators. There is nothing for you to choose
          here yet.
        </p>
      )}
      <section className={styles.section} aria-labelledby="source-host">
        <h2 id="source-host">Source-code host</h2>
        <p className={styles.note}>
          Your user name and token at the source-code host will stand here. This version of the console does
          not have them yet.
        </p>
      </section>
    </>
  );
}

const HealthChecks = () => {
  const query = useWorkspaceQuery();
  return (
    <section className={styles.section} aria-labelledby="health-checks">
      <h2 id="health-checks">Health checks</h2>
      <p className={styles.note}>
        Each server is asked at intervals for its load, memory, disk, Docker and nginx. One failed check may
        be a blink of the network; one that succeeds makes a server reachable again.
      </p>
      <DataView query={query} what="Settings">
        {(workspace) => <HealthChecksForm workspace={workspace} />}
      </DataView>
    </section>
  );
};

const revisionOf = (value: unknown): number | undefined =>
  typeof value === 'object' && value !== null && 'revision' in value ? Number(value.revision) : undefined;

type Rule = WorkspaceView['healthChecks'];

const same = (a: Rule, b: Rule): boolean =>
  a.everySeconds === b.everySeconds && a.failures === b.failures && a.outOf === b.outOf;

const HealthChecksForm = ({ workspace }: { workspace: WorkspaceView }) => {
  const [configure] = useConfigureHealthChecksMutation();
  // The one that the form opened with: what comes by push meanwhile is somebody else's change, not a newer base.
  const [opened, setOpened] = useState(workspace);
  const { everySeconds, failures, outOf } = workspace.healthChecks;
  return (
    <>
      <p className={styles.inForce} role="status">
        In force: every {everySeconds} s, unreachable after {failures} of the last {outOf} failed.
      </p>
      <ResourceForm
        label="Health checks"
        schema={healthChecks}
        fields={fields}
        initial={opened.healthChecks}
        submitLabel="Save"
        onSubmit={async (rule, { current }) => {
          const base = same(opened.healthChecks, workspace.healthChecks) ? workspace : opened;
          await configure({ ...rule, revision: revisionOf(current) ?? base.revision }).unwrap();
          setOpened({ ...workspace, healthChecks: rule });
          toast.success('The health checks were saved.');
        }}
      />
    </>
  );
};
