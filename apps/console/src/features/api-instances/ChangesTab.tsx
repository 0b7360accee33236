/** What callers of an instance notice of the changes between any two instants. */
import { Group } from '@mantine/core';
import { apiInstances, type ApiChanges } from '@quarterdeck/contract';
import { useSearchParams } from 'react-router';
import { useAsOf } from '../../core/as-of/as-of-state';
import { useAnswer } from '../../core/calls';
import { Section } from '../../ui/Card';
import { DataView } from '../../ui/DataView';
import { InstantInput } from '../../ui/InstantInput';
import { Note } from '../../ui/Note';
import { withParams } from '../../ui/params';
import { PlainTable } from '../../ui/PlainTable';
import { absoluteTime } from '../../ui/RelativeTime';
import type { InstanceView } from './instance-view';

type Change = ApiChanges['changes'][number];

export const ChangeTable = ({ of }: { of: readonly Change[] }) => (
  <PlainTable label="Changes">
    <thead>
      <tr>
        <th scope="col">Endpoint</th>
        <th scope="col">Change</th>
        <th scope="col">Callers</th>
      </tr>
    </thead>
    <tbody>
      {of.map(({ endpoint, message, isBreaking }) => (
        <tr key={`${endpoint} ${message}`}>
          <th scope="row">{endpoint}</th>
          <td>{message}</td>
          <td>{isBreaking ? 'break' : 'go on'}</td>
        </tr>
      ))}
    </tbody>
  </PlainTable>
);

const Report = ({ of: { from, to, changes, more } }: { of: ApiChanges }) => (
  <>
    <Note mb={12}>
      From {absoluteTime(from.at)} to {absoluteTime(to.at)}.{' '}
      {changes.length === 0 && 'Callers notice nothing of what changed.'}
      {more > 0 && `${more.toLocaleString('en')} more changes are left out.`}
    </Note>
    {changes.length > 0 && <ChangeTable of={changes} />}
  </>
);

const Between = ({ id, from, to }: { id: string; from: string; to: string | undefined }) => {
  const query = useAnswer(apiInstances.changes, {
    instance: { uuid: id },
    from,
    ...(to !== undefined && { to }),
  });
  return (
    <DataView query={query} what="Changes">
      {(report) => <Report of={report} />}
    </DataView>
  );
};

export const ChangesTab = ({ view }: { view: InstanceView }) => {
  const past = useAsOf();
  const [params, setParams] = useSearchParams();
  const [from, to] = [params.get('from') ?? undefined, params.get('to') ?? undefined];
  const choose = (key: 'from' | 'to', instant: string | undefined): void =>
    setParams((latest) => withParams(latest, { [key]: instant }), { replace: true });
  return (
    <Section title="What callers notice">
      <Group align="end" gap="xs" mb={12}>
        <InstantInput label="From" value={from} onChange={(instant) => choose('from', instant)} />
        <InstantInput
          label="To"
          empty={past === undefined ? 'now' : 'the instant that this page shows'}
          value={to}
          onChange={(instant) => choose('to', instant)}
        />
      </Group>
      {from === undefined ? (
        <Note>Choose when to begin. Changes of the endpoints and of the data model are compared.</Note>
      ) : (
        <Between id={view.id} from={from} to={to} />
      )}
    </Section>
  );
};
