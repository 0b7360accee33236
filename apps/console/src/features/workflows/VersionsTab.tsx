/** The published versions: compared with each other and with the draft, and restored. */
import { Button, Group, NativeSelect } from '@mantine/core';
import { workflowVersions, type WorkflowChange } from '@quarterdeck/contract';
import type { Json } from '@quarterdeck/events';
import type { WorkflowVersionRow } from '@quarterdeck/projections';
import { IconGitCompare, IconVersions } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useAnswer, useChange } from '../../core/calls';
import { useActorName } from '../../records/actor';
import { ActionFailure } from '../../records/runs';
import { Section } from '../../ui/Card';
import { Stacked } from '../../ui/Columns';
import { DataTable, type Column } from '../../ui/DataTable';
import { DataView } from '../../ui/DataView';
import { EmptyState } from '../../ui/EmptyState';
import { Dim, Mono, Note } from '../../ui/Note';
import { PlainTable } from '../../ui/PlainTable';
import { RelativeTime } from '../../ui/RelativeTime';
import { useAction } from '../../ui/use-action';
import { shortJson } from './workflow-words';

const DRAFT = 'draft';

export const VersionsTab = ({ workflow }: { workflow: string }) => {
  const nameOf = useActorName();
  const query = useAnswer(workflowVersions.list, { id: workflow });
  const [restore] = useChange(workflowVersions.restore);
  const { act, failure, dismiss } = useAction();
  const [chosen, choose] = useState<{ from: string; to: string }>();
  const columns = useMemo(
    (): Column<WorkflowVersionRow>[] => [
      {
        id: 'version',
        header: 'Version',
        value: ({ version }) => version,
        priority: 1,
        align: 'right',
        width: '1%',
      },
      {
        id: 'date',
        header: 'Published',
        value: ({ logDateAdded }) => logDateAdded,
        cell: ({ logDateAdded }) => <RelativeTime at={logDateAdded} />,
        priority: 2,
      },
      { id: 'by', header: 'By', value: ({ by }) => nameOf(by), priority: 3 },
      { id: 'nodes', header: 'Nodes', value: ({ nodes }) => nodes, align: 'right' },
      { id: 'transitions', header: 'Transitions', value: ({ transitions }) => transitions, align: 'right' },
    ],
    [nameOf],
  );
  const onRestore = (version: number) =>
    act({
      ask: {
        title: `Restore version ${version}?`,
        body: `The draft becomes the same as version ${version}. What was drawn since then is removed from the draft; the history keeps it. Running instances are not affected.`,
        confirmLabel: 'Restore version',
      },
      send: () => restore({ id: workflow, version }).unwrap(),
      done: `The draft is the same as version ${version}.`,
      failed: `Version ${version} was not restored`,
    });
  const versions = query.data ?? [];
  const newest = versions[0]?.version;
  const { from, to } = chosen ?? { from: String(newest ?? 0), to: DRAFT };
  return (
    <Stacked gap={24}>
      <ActionFailure failure={failure} onClose={dismiss} />
      <DataTable
        label="Versions"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        actions={({ version }) => (
          <Group gap={4} wrap="nowrap" justify="flex-end">
            <Button
              variant="subtle"
              aria-label={`Compare version ${version} with the draft`}
              onClick={() => choose({ from: String(version), to: DRAFT })}
            >
              Compare
            </Button>
            <DisabledInPast>
              <Button
                variant="subtle"
                aria-label={`Restore version ${version}`}
                onClick={() => void onRestore(version)}
              >
                Restore
              </Button>
            </DisabledInPast>
          </Group>
        )}
        empty={
          <EmptyState title="Never published" icon={IconVersions}>
            Each published version will appear here. Instances keep the version that they were started with.
          </EmptyState>
        }
      />
      {versions.length > 0 && (
        <Section title="Compare">
          <Group gap={12} mb={12} align="end">
            <NativeSelect
              label="From"
              value={from}
              onChange={({ currentTarget }) => choose({ from: currentTarget.value, to })}
              data={[
                ...versions.map(({ version }) => ({ value: String(version), label: `Version ${version}` })),
                { value: '0', label: 'Nothing' },
              ]}
            />
            <NativeSelect
              label="To"
              value={to}
              onChange={({ currentTarget }) => choose({ from, to: currentTarget.value })}
              data={[
                { value: DRAFT, label: 'Draft' },
                ...versions.map(({ version }) => ({ value: String(version), label: `Version ${version}` })),
              ]}
            />
          </Group>
          <Difference workflow={workflow} from={Number(from)} to={to === DRAFT ? undefined : Number(to)} />
        </Section>
      )}
    </Stacked>
  );
};

interface DifferenceProps {
  workflow: string;
  from: number;
  to: number | undefined;
}

const Difference = ({ workflow, from, to }: DifferenceProps) => {
  const query = useAnswer(workflowVersions.compare, {
    id: workflow,
    from,
    ...(to !== undefined && { to }),
  });
  return (
    <DataView query={query} what="Comparison">
      {({ changes }) =>
        changes.length === 0 ? (
          <EmptyState title="No differences" icon={IconGitCompare}>
            Both have the same nodes and transitions.
          </EmptyState>
        ) : (
          <Changes changes={changes} />
        )
      }
    </DataView>
  );
};

const words = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : shortJson(value);

const Changes = ({ changes }: { changes: readonly WorkflowChange[] }) => (
  <>
    <Note mb={8}>
      {changes.length} {changes.length === 1 ? 'difference' : 'differences'}
    </Note>
    <PlainTable label="Differences">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Change</th>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.flatMap(({ id, is, what, name, fields }) =>
          (is === 'changed' && fields.length > 0 ? fields : [undefined]).map((field) => (
            <tr key={`${id} ${what} ${field?.field ?? ''}`}>
              <th scope="row">
                {name} <Dim>{what}</Dim>
              </th>
              <td data-change={is}>{is}</td>
              <td>{field?.field}</td>
              <td>
                <Mono>{words(field?.before)}</Mono>
              </td>
              <td>
                <Mono>{words(field?.after)}</Mono>
              </td>
            </tr>
          )),
        )}
      </tbody>
    </PlainTable>
  </>
);
