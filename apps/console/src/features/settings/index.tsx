/** One's own credentials, and what a workspace chooses for itself. */
import { workspaces } from '@quarterdeck/contract';
import type { WorkspaceView } from '@quarterdeck/projections';
import type { ReactNode } from 'react';
import { DataView } from '../../ui/DataView';
import { HistoryBelow } from '../../records/history';
import { PageHeader } from '../../ui/PageHeader';
import { useAnswer } from '../../core/calls';
import { useSession } from '../../core/session';
import styles from './Settings.module.css';
import { ContainerFlow } from './ContainerFlow';
import { HealthChecks } from './HealthChecks';
import { Retention } from './Retention';

/** A section of the workspace's settings. */
export interface Section {
  label: string;
  content: (workspace: WorkspaceView) => ReactNode;
}

interface SettingsProps {
  /** One's own. */
  personal: ReactNode;
  /** What other features have to be set. */
  sections: readonly Section[];
}

export default function Settings({ personal, sections }: SettingsProps) {
  const { can, instance } = useSession();
  return (
    <>
      <PageHeader title="Settings" description={`Your own, and those of the workspace ${instance.name}.`} />
      {personal}
      {can('admin') ? (
        <WorkspaceSettings sections={sections} />
      ) : (
        <p>The settings of the workspace are made by its administrators.</p>
      )}
    </>
  );
}

const WorkspaceSettings = ({ sections }: Pick<SettingsProps, 'sections'>) => (
  <DataView query={useAnswer(workspaces.detail)} what="Settings">
    {(workspace) => (
      <>
        {[healthChecks, ...sections, containerFlow, retention].map(({ label, content }) => (
          <section key={label} className={styles.section} aria-label={label}>
            {content(workspace)}
          </section>
        ))}
        <HistoryBelow category="workspace" id={workspace.id} name={workspace.name} />
      </>
    )}
  </DataView>
);

const healthChecks: Section = {
  label: 'Health checks',
  content: (workspace) => <HealthChecks workspace={workspace} />,
};

const containerFlow: Section = {
  label: 'Container deploys',
  content: (workspace) => <ContainerFlow workspace={workspace} />,
};

const retention: Section = {
  label: 'Output of runs',
  content: (workspace) => <Retention workspace={workspace} />,
};
