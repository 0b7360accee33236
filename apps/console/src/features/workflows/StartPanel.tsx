/** Starts an instance of a published version with data. */
import { Button, NativeSelect } from '@mantine/core';
import { workflowInstances, workflowVersions } from '@quarterdeck/contract';
import { IconPencil, IconPlayerPlay } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { Link } from 'react-router';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useAnswer, useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Card } from '../../ui/Card';
import { Stacked } from '../../ui/Columns';
import { EmptyState } from '../../ui/EmptyState';
import { useAction } from '../../ui/use-action';
import { JsonField, useJsonField } from './JsonField';
import { InstanceBadge } from './workflow-words';

export const StartPanel = ({ workflow }: { workflow: string }) => {
  const { data: versions } = useAnswer(workflowVersions.list, { id: workflow });
  const [version, setVersion] = useState('');
  const { read, field } = useJsonField('{}', {});
  const [started, setStarted] = useState<string>();
  const [start] = useChange(workflowInstances.insert);
  const { act, busy, failure, dismiss } = useAction();
  const refused = failure?.error.data?.['data'];
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const data = read();
    if (data === undefined) return;
    await act({
      send: () =>
        start({
          workflow: { id: workflow },
          data,
          ...(version !== '' && { version: Number(version) }),
        }).unwrap(),
      done: ({ id }) => setStarted(id),
      failed: 'No instance was started',
    });
  };
  if (versions?.length === 0)
    return (
      <Card title="Execute query">
        <EmptyState
          title="Not published yet"
          icon={IconPlayerPlay}
          action={
            <Action icon={IconPencil} does={paths.workflow(workflow, 'editor')} variant="default">
              Open the editor
            </Action>
          }
        >
          Add nodes, publish a version, and start instances of it here.
        </EmptyState>
      </Card>
    );
  return (
    <Card title="Execute query">
      <form onSubmit={(event) => void submit(event)} aria-label="Execute query">
        <Stacked gap={12}>
          {refused === undefined && <ActionFailure failure={failure} onClose={dismiss} />}
          <NativeSelect
            label="Version"
            value={version}
            onChange={({ currentTarget }) => setVersion(currentTarget.value)}
            data={(versions ?? []).map((one, at) => ({
              value: at === 0 ? '' : String(one.version),
              label: at === 0 ? `${one.version} (newest)` : String(one.version),
            }))}
          />
          <JsonField
            label="Data"
            description="JSON. Conditions and nodes read it as data."
            rows={5}
            {...field}
            error={field.error ?? refused}
          />
          <div>
            <DisabledInPast>
              <Button type="submit" leftSection={<IconPlayerPlay size={16} aria-hidden />} loading={busy}>
                Start instance
              </Button>
            </DisabledInPast>
          </div>
          {started !== undefined && <Started workflow={workflow} id={started} />}
        </Stacked>
      </form>
    </Card>
  );
};

const Started = ({ workflow, id }: { workflow: string; id: string }) => {
  const { data: instance } = useAnswer(workflowInstances.detail, { id });
  return (
    <section aria-label="Result" aria-live="polite">
      {instance && (
        <>
          <InstanceBadge instance={instance} /> {instance.node && `at ${instance.node.name} `}
          <Link to={paths.workflowPart(workflow, id)}>Open instance</Link>
        </>
      )}
    </section>
  );
};
