/** Personal credentials and workspace settings. Shows one section at a time; the address names it. */
import { workspaces } from '@quarterdeck/contract';
import type { Role } from '@quarterdeck/events';
import type { WorkspaceView } from '@quarterdeck/projections';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { DataView } from '../../ui/DataView';
import { HistoryOf } from '../../records/history';
import { PageHeader } from '../../ui/PageHeader';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import styles from './Settings.module.css';
import { Audience } from './Audience';
import { ContainerFlow } from './ContainerFlow';
import { HealthChecks } from './HealthChecks';
import { Retention } from './Retention';
import { SecondFactor } from './SecondFactor';
import { SourceHost } from './SourceHost';
import { Note } from '../../ui/Note';
import { Title } from '../../ui/heading';
import { List } from '../../ui/List';

/** A section in the navigation. */
interface Listed {
  id: string;
  label: string;
  group: 'Personal' | 'Workspace';
  role: Role;
}

type OfWorkspace = (workspace: WorkspaceView) => ReactNode;

interface SettingsProps {
  listed: readonly Listed[];
  /** Personal sections, by id. */
  personal: Readonly<Record<string, ReactNode>>;
  /** Workspace sections that other features contribute, by id. */
  workspace: Readonly<Record<string, OfWorkspace>>;
}

const own: Readonly<Record<string, OfWorkspace>> = {
  'health-checks': (workspace) => <HealthChecks workspace={workspace} />,
  'container-deploys': (workspace) => <ContainerFlow workspace={workspace} />,
  repositories: (workspace) => <SourceHost workspace={workspace} />,
  'second-factor': (workspace) => <SecondFactor workspace={workspace} />,
  audience: (workspace) => <Audience workspace={workspace} />,
  'run-output': (workspace) => <Retention workspace={workspace} />,
  changes: ({ id, name }) => (
    <>
      <Title mb={8}>Changes</Title>
      <HistoryOf category="workspace" id={id} name={name} />
    </>
  ),
};

const groups = ['Personal', 'Workspace'] as const;

export default function Settings({ listed, personal, workspace }: SettingsProps) {
  const { can, instance } = useSession();
  const [params] = useSearchParams();
  const shown = listed.filter(({ role }) => can(role));
  // Links to an event or a comparison always open the changes section, whatever section they name.
  const wanted = params.has('event') || params.has('compare') ? 'changes' : params.get('section');
  const current = shown.find(({ id }) => id === wanted) ?? shown[0];
  return (
    <>
      <PageHeader
        title="Settings"
        description={`Your settings, and those of the workspace ${instance.name}.`}
      />
      <div className={styles.page}>
        <nav aria-label="Settings" className={styles.nav}>
          {groups.map((group) => (
            <Group key={group} title={group} entries={shown} current={current?.id} />
          ))}
          {!can('admin') && (
            <Note p="0 10px" fz={12}>
              Workspace settings are managed by its administrators.
            </Note>
          )}
        </nav>
        {current && (
          <section
            key={current.id}
            className={styles.section}
            data-wide={current.id === 'changes' || undefined}
            aria-label={current.label}
          >
            {personal[current.id] ?? (
              <WorkspaceSection content={workspace[current.id] ?? own[current.id]} what={current.label} />
            )}
          </section>
        )}
      </div>
    </>
  );
}

interface GroupProps {
  title: Listed['group'];
  entries: readonly Listed[];
  current: string | undefined;
}

const Group = ({ title, entries, current }: GroupProps) => {
  const ofGroup = entries.filter(({ group }) => group === title);
  if (ofGroup.length === 0) return null;
  return (
    <div className={styles.group}>
      <Title mb={4} px={10} c="dimmed" fz={12} fw={500}>
        {title}
      </Title>
      <List>
        {ofGroup.map(({ id, label }) => (
          <li key={id}>
            <Link to={paths.settings(id)} aria-current={id === current ? 'page' : undefined}>
              {label}
            </Link>
          </li>
        ))}
      </List>
    </div>
  );
};

const WorkspaceSection = ({ content, what }: { content: OfWorkspace | undefined; what: string }) => (
  <DataView query={useAnswer(workspaces.detail)} what={what}>
    {(workspace) => content?.(workspace)}
  </DataView>
);
