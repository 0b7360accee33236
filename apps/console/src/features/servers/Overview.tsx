/** A server's details, editable in place, with its set-up, health, host key and private key. */
import { servers } from '@quarterdeck/contract';
import { DEFAULT_PORT, serverEdit } from '@quarterdeck/events/inputs';
import type { ServerView } from '@quarterdeck/projections';
import { useChange } from '../../core/calls';
import { By } from '../../records/actor';
import { RunningStates } from '../../records/verdicts';
import { CopyText } from '../../ui/CopyText';
import { EditInPlace, useEditBase } from '../../ui/EditInPlace';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { HealthCard } from './health/HealthCard';
import { HostKeyCard } from './HostKeyCard';
import { PrivateKeyCard } from './PrivateKeyCard';
import { serverFields } from './server-fields';
import { SetUpCard } from './SetUpCard';
import type { SetUp } from './set-ups';
import { Columns, Stacked } from '../../ui/Columns';
import { Card } from '../../ui/Card';
import { Fact, Facts } from '../../ui/Facts';

interface OverviewProps {
  server: ServerView;
  onSetUp: (what: SetUp) => void;
}

export const Overview = ({ server, onSetUp }: OverviewProps) => (
  <Columns>
    <Stacked>
      <Card aria-label="Details">
        <EditInPlace
          title="Details"
          view={<ServerFacts server={server} />}
          form={(done) => <EditForm server={server} onDone={done} />}
        />
      </Card>
      <SetUpCard server={server} onSetUp={onSetUp} />
    </Stacked>
    <Stacked>
      <HealthCard server={server} />
      <RunningStates of={({ server: { id } }) => id === server.id} named />
      <HostKeyCard server={server} />
      <PrivateKeyCard server={server} />
    </Stacked>
  </Columns>
);

const ServerFacts = ({ server }: { server: ServerView }) => (
  <Facts>
    <Fact label="Alias">{server.alias}</Fact>
    {(['host', 'port', 'username', 'root', 'path', 'nginxPath'] as const).map((name) => (
      <Fact key={name} label={serverFields.find((field) => field.name === name)?.label}>
        <CopyText value={String(server[name])} />
      </Fact>
    ))}
    <Fact label="Added">
      <By id={server.registeredBy} at={server.registeredAt} />
    </Fact>
    <Fact label="Last changed">
      <By id={server.changedBy} at={server.changedAt} />
    </Fact>
    <Fact label="Id">
      <CopyText value={server.id} />
    </Fact>
  </Facts>
);

/** Compares only the form's fields, because other changes, such as a pinned host key, also make a new revision. */
const sameFields = (a: ServerView, b: ServerView): boolean =>
  serverFields.every(({ name }) => a[name as keyof ServerView] === b[name as keyof ServerView]);

const EditForm = ({ server, onDone }: { server: ServerView; onDone: () => void }) => {
  const [update] = useChange(servers.update);
  const { opened, revision, touch } = useEditBase(server, sameFields);
  return (
    <ResourceForm
      label="Edit server"
      schema={serverEdit}
      fields={serverFields}
      initial={{ ...opened }}
      submitLabel="Save"
      onCancel={onDone}
      onTouched={touch}
      onSubmit={async (data, { current }) => {
        const whole = { port: DEFAULT_PORT, ...data };
        await update({ id: server.id, data: whole, revision: revision(current) }).unwrap();
        toast.success(`${data.alias} was saved.`);
        onDone();
      }}
    />
  );
};
