/** The endpoints of an instance; five of them for an entity in one click; and what the data model has made wrong since. */
import { Alert, Group, NativeSelect } from '@mantine/core';
import { apiInstances, callsOf, type EndpointProblem } from '@quarterdeck/contract';
import { endpoint, endpointMethods, entity } from '@quarterdeck/events';
import { IconAlertTriangle, IconPlus, IconRefresh, IconTable } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAnswer, useAsk, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Section } from '../../ui/Card';
import { DataView } from '../../ui/DataView';
import { Bullets } from '../../ui/List';
import { Dim, Mono, Note } from '../../ui/Note';
import { PlainTable } from '../../ui/PlainTable';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';
import { endpointPath, type EndpointView, type InstanceView } from './instance-view';

const Problems = ({ of, at }: { of: readonly EndpointProblem[]; at: (id: string) => string }) => (
  <Alert
    color="yellow"
    icon={<IconAlertTriangle aria-hidden />}
    mb="md"
    title={of.length === 1 ? '1 problem' : `${of.length} problems`}
  >
    <Bullets aria-label="Problems">
      {of.map(({ endpoint: { uuid, method, path }, field, says }) => (
        <li key={`${uuid} ${field} ${says}`}>
          <Link to={at(uuid)}>
            {method} {path}
          </Link>{' '}
          <Dim>{field}</Dim> {says}
        </li>
      ))}
    </Bullets>
  </Alert>
);

const blockWords = ({ blocks }: EndpointView): string =>
  (blocks as readonly { type: string; entity?: string }[])
    .map(({ type, entity: name }) => (name === undefined ? type : `${type} ${name}`))
    .join(', ');

/** By path, and those of one path in the order of the methods. */
const inOrder = (all: readonly EndpointView[]): EndpointView[] =>
  all.toSorted(
    (a, b) =>
      (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) ||
      endpointMethods.indexOf(a.method) - endpointMethods.indexOf(b.method),
  );

const Table = ({ all, at }: { all: readonly EndpointView[]; at: (id: string) => string }) => (
  <PlainTable label="All endpoints">
    <thead>
      <tr>
        <th scope="col">Method</th>
        <th scope="col">Path</th>
        <th scope="col">Permissions</th>
        <th scope="col">Blocks</th>
        <th scope="col">Tag</th>
      </tr>
    </thead>
    <tbody>
      {inOrder(all).map((one) => (
        <tr key={one.id}>
          <td>
            <Mono>{one.method}</Mono>
          </td>
          <th scope="row">
            <Link to={at(one.id)}>
              <Mono>{one.path}</Mono>
            </Link>
          </th>
          <td>{one.permissions.length === 0 ? 'everybody' : one.permissions.join(', ')}</td>
          <td>{one.blocks.length === 0 ? <Dim>none</Dim> : blockWords(one)}</td>
          <td>{one.tag === '' ? <Dim>none</Dim> : one.tag}</td>
        </tr>
      ))}
    </tbody>
  </PlainTable>
);

export const EndpointsTab = ({ view, base }: { view: InstanceView; base: string }) => {
  const instance = { uuid: view.id };
  const query = useAnswer(callsOf(endpoint).list, { apiInstance: { id: view.id } });
  const { data: entities = [] } = useAnswer(callsOf(entity).list, { product: { id: view.product } });
  const [addOf] = useChange(apiInstances.insertOfEntity);
  const [refresh] = useAsk(apiInstances.refresh);
  const [problems, setProblems] = useState<readonly EndpointProblem[]>([]);
  const [chosen, choose] = useState('');
  const { act, busy, failure, dismiss } = useAction();
  const at = (id: string): string => endpointPath(base, view.id, id);
  const picked = entities.find(({ id }) => id === chosen) ?? entities[0];
  const addFive = () =>
    act({
      send: () => addOf({ apiInfo: instance, entity: { id: picked?.id ?? '' } }).unwrap(),
      done: ({ ids }) =>
        toast.success(
          `${ids.length === 1 ? '1 endpoint' : `${ids.length} endpoints`} for ${picked?.name} added.`,
        ),
      failed: `The endpoints for ${picked?.name} could not be added`,
    });
  const check = () =>
    act({
      send: () => refresh({ instance }).unwrap(),
      done: (found) => {
        setProblems(found.problems);
        toast.success('refreshed');
      },
      failed: 'The endpoints could not be checked',
    });
  return (
    <>
      <ActionFailure failure={failure} onClose={dismiss} />
      {problems.length > 0 && <Problems of={problems} at={at} />}
      <Section
        title="Endpoints"
        actions={
          <Group gap={8}>
            <Action icon={IconRefresh} variant="default" loading={busy} does={check}>
              Refresh
            </Action>
            <DisabledInPast>
              <Action icon={IconPlus} does={`${base}/${view.id}/add`}>
                Add endpoint
              </Action>
            </DisabledInPast>
          </Group>
        }
      >
        <DataView query={query} what="Endpoints">
          {(all) =>
            all.length === 0 ? (
              <Note>Endpoints with their method, path and permissions will appear here.</Note>
            ) : (
              <Table all={all} at={at} />
            )
          }
        </DataView>
      </Section>
      <Section title="Endpoints for an entity" mt={24} maw={640}>
        {picked ? (
          <Group gap={8} align="flex-end">
            <NativeSelect
              label="Entity"
              value={picked.id}
              onChange={({ currentTarget }) => choose(currentTarget.value)}
              data={entities.map(({ id, name }) => ({ value: id, label: name }))}
            />
            <DisabledInPast>
              <Action icon={IconTable} variant="default" loading={busy} does={addFive}>
                Add five endpoints
              </Action>
            </DisabledInPast>
          </Group>
        ) : (
          <Note>This product has no entities yet. Add one in its data model.</Note>
        )}
        <Note below>
          List, detail, insert, update and delete, for the permissions app and admin. Those that exist already
          stay as they are.
        </Note>
      </Section>
    </>
  );
};
