/** One's own credentials, and what a workspace chooses for itself. */
import { workspaces } from '@quarterdeck/contract';
import type { WorkspaceView } from '@quarterdeck/projections';
import { lazy, Suspense, type ReactNode } from 'react';
import { CredentialsSection } from '../../features/credentials';
import { DataView } from '../../ui/DataView';
import { HistoryBelow } from '../../ui/history';
import { PageHeader } from '../../ui/PageHeader';
import { useAnswer } from '../calls';
import { useSession } from '../session';
import styles from './Settings.module.css';
import { ContainerFlow } from './SettingsContainerFlow';
import { HealthChecks } from './SettingsHealthChecks';
import { Retention } from './SettingsRetention';

const AlertSettings = lazy(() =>
  import('../../features/alerts').then(({ AlertSettings: settings }) => ({ default: settings })),
);
const DnsSettings = lazy(() =>
  import('../../features/domains').then(({ DnsSettings: settings }) => ({ default: settings })),
);
const MonitorSettings = lazy(() =>
  import('../../features/certificates').then(({ MonitorSettings: settings }) => ({ default: settings })),
);

export default function Settings() {
  const { can, instance } = useSession();
  return (
    <>
      <PageHeader title="Settings" description={`Your own, and those of the workspace ${instance.name}.`} />
      <CredentialsSection />
      {can('admin') ? (
        <WorkspaceSettings />
      ) : (
        <p>The settings of the workspace are made by its administrators.</p>
      )}
    </>
  );
}

const WorkspaceSettings = () => (
  <DataView query={useAnswer(workspaces.detail)} what="Settings">
    {(workspace) => (
      <>
        {sections.map(([label, content]) => (
          <section key={label} className={styles.section} aria-label={label}>
            <Suspense>{content(workspace)}</Suspense>
          </section>
        ))}
        <HistoryBelow category="workspace" id={workspace.id} name={workspace.name} />
      </>
    )}
  </DataView>
);

const sections: readonly [label: string, content: (workspace: WorkspaceView) => ReactNode][] = [
  ['Health checks', (workspace) => <HealthChecks workspace={workspace} />],
  ['DNS', (workspace) => <DnsSettings workspace={workspace} />],
  ['SSL monitor', (workspace) => <MonitorSettings workspace={workspace} />],
  ['Alerts', (workspace) => <AlertSettings workspace={workspace} />],
  ['Container deploys', (workspace) => <ContainerFlow workspace={workspace} />],
  ['Output of runs', (workspace) => <Retention workspace={workspace} />],
];
