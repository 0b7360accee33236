/** A trigger: its form, the tokens of a webhook, and when it fired. */
import { callsOf, workflowTriggers, type WorkflowFiring } from '@quarterdeck/contract';
import { workflowTrigger } from '@quarterdeck/events';
import type { WorkflowTokenView } from '@quarterdeck/projections';
import { IconArrowLeft, IconBolt, IconKey, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { DisabledInPast, PresentOnly } from '../../core/as-of/in-past';
import { useAnswer, useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { useActorName } from '../../records/actor';
import { undoOf } from '../../records/history';
import { ActionFailure } from '../../records/runs';
import { TokenTable } from '../../records/TokenTable';
import { Action } from '../../ui/Action';
import { Card, Section } from '../../ui/Card';
import { Columns, Stacked } from '../../ui/Columns';
import { DataTable, type Column } from '../../ui/DataTable';
import { useEditBase } from '../../ui/EditInPlace';
import { EmptyState } from '../../ui/EmptyState';
import { sameValue } from '../../ui/same-value';
import { Note } from '../../ui/Note';
import { RelativeTime } from '../../ui/RelativeTime';
import { ResourceForm } from '../../ui/ResourceForm';
import { SecretOnce } from '../../ui/SecretOnce';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';
import { editedTrigger, newTrigger, triggerFields } from './trigger-form';
import type { TriggerView } from './TriggersTab';

interface Shown {
  show: (part: string | undefined) => void;
}

const initial = { starts: 'schedule', isOn: true, isSigned: true };

export const AddTrigger = ({ workflow, show }: Shown & { workflow: string }) => {
  const [add] = useChange(callsOf(workflowTrigger).insert);
  return (
    <Card title="Add trigger">
      <ResourceForm
        label="Add trigger"
        schema={newTrigger}
        fields={triggerFields}
        initial={initial}
        submitLabel="Save trigger"
        onCancel={() => show(undefined)}
        onSubmit={async (data) => {
          const { id } = await add({ workflow: { id: workflow }, data } as never).unwrap();
          toast.success(`${String(data['name'])} was saved.`);
          show(id);
        }}
      />
    </Card>
  );
};

const valuesOf = ({ name, isOn, starts, schedule, data, isSigned, event, filter }: TriggerView) => ({
  name,
  isOn,
  starts,
  schedule,
  data,
  isSigned,
  event,
  filter,
});

export const TriggerPage = ({ trigger, show }: Shown & { trigger: TriggerView }) => {
  const { id, name, starts } = trigger;
  const [update] = useChange(callsOf(workflowTrigger).update);
  const [removeOne] = useChange(callsOf(workflowTrigger).delete);
  const { act, failure, dismiss } = useAction();
  const { opened, revision, adopt, touch } = useEditBase(trigger, (one, other) =>
    sameValue(valuesOf(one), valuesOf(other)),
  );
  const values = useMemo(() => valuesOf(opened), [opened]);
  const schema = useMemo(() => editedTrigger(values), [values]);
  const remove = () =>
    act({
      ask: {
        title: `Delete ${name}?`,
        body: 'It starts nothing any more. Its instances stay. You can undo this.',
        confirmLabel: 'Delete trigger',
        danger: true,
      },
      send: () => removeOne({ id } as never).unwrap(),
      done: () => {
        toast.success(`${name} was deleted.`, undoOf({ category: 'workflowTrigger', id }));
        show(undefined);
      },
      failed: `${name} could not be deleted`,
    });
  return (
    <Stacked gap={24}>
      <ActionFailure failure={failure} onClose={dismiss} />
      <Columns>
        <Card
          title={name}
          actions={
            <Action icon={IconArrowLeft} variant="subtle" does={() => show(undefined)}>
              All triggers
            </Action>
          }
        >
          <ResourceForm
            label={`Edit ${name}`}
            schema={schema}
            fields={triggerFields}
            initial={values}
            submitLabel="Save trigger"
            onTouched={touch}
            onSubmit={async (data, { current }) => {
              await update({ id, revision: revision(current), data } as never).unwrap();
              adopt({ ...trigger, ...data } as TriggerView);
              toast.success(`${String(data['name'])} was saved.`);
            }}
          />
          <DisabledInPast>
            <Action icon={IconTrash} variant="subtle" color="red" mt={12} does={remove}>
              Delete trigger
            </Action>
          </DisabledInPast>
        </Card>
        <PresentOnly what="When it fired">
          <Firings trigger={trigger} />
        </PresentOnly>
      </Columns>
      {starts === 'webhook' && <Tokens trigger={trigger} />}
    </Stacked>
  );
};

const Firings = ({ trigger: { id, workflow } }: { trigger: TriggerView }) => {
  const query = useAnswer(workflowTriggers.firings, { id });
  const columns = useMemo(
    (): Column<WorkflowFiring>[] => [
      {
        id: 'at',
        header: 'Date',
        value: ({ at }) => at,
        cell: ({ at }) => <RelativeTime at={at} />,
        priority: 2,
      },
      {
        id: 'is',
        header: 'Outcome',
        value: ({ is }) => is,
        cell: ({ id: instance, is }) =>
          is === 'started' ? <Link to={paths.workflowPart(String(workflow), instance)}>started</Link> : is,
        priority: 1,
      },
      { id: 'reason', header: 'Reason', value: ({ reason, source }) => reason ?? source, priority: 3 },
    ],
    [workflow],
  );
  return (
    <Section title="Fired" aria-label="When it fired">
      <DataTable
        label="Fired"
        query={query}
        columns={columns}
        urlKey="fired"
        rowKey={({ id: instance, at }) => `${instance} ${at}`}
        empty={
          <EmptyState title="Never fired" icon={IconBolt}>
            What it started, and what it could not start, will appear here.
          </EmptyState>
        }
      />
    </Section>
  );
};

const Tokens = ({ trigger: { id, isSigned } }: { trigger: TriggerView }) => {
  const nameOf = useActorName();
  const query = useAnswer(workflowTriggers.tokens, { id });
  const [issueOne, issuing] = useChange(workflowTriggers.issue);
  const [revoke] = useChange(workflowTriggers.revoke);
  const [issued, setIssued] = useState<{ token: string; secret: string }>();
  const { act, failure, dismiss } = useAction();
  const columns = useMemo(
    (): Column<WorkflowTokenView>[] => [
      { id: 'fingerprint', header: 'Token', value: (one) => one.fingerprint, mono: true, priority: 1 },
      {
        id: 'used',
        header: 'Last used',
        value: ({ usedAt }) => usedAt ?? '',
        cell: ({ usedAt }) => (usedAt === undefined ? 'never' : <RelativeTime at={usedAt} />),
        priority: 2,
      },
      {
        id: 'issued',
        header: 'Issued',
        value: ({ issuedAt }) => issuedAt,
        cell: ({ issuedAt }) => <RelativeTime at={issuedAt} />,
        priority: 3,
      },
      { id: 'by', header: 'Issued by', value: ({ issuedBy }) => nameOf(issuedBy) },
    ],
    [nameOf],
  );
  const issue = () =>
    act({
      send: () => issueOne({ id }).unwrap(),
      done: ({ token, secret }) => setIssued({ token, secret }),
      failed: 'No token was issued',
    });
  const address = `${location.origin}/api/public/workflow/start`;
  return (
    <Section
      title="Tokens"
      actions={
        <DisabledInPast>
          <Action icon={IconKey} loading={issuing.isLoading} does={issue}>
            Issue token
          </Action>
        </DisabledInPast>
      }
    >
      <Note mb={16}>
        Whoever has a token starts instances with the body of their call as the data
        {isSigned && ', if the call is signed with the secret of the token'}.
      </Note>
      <ActionFailure failure={failure} onClose={dismiss} />
      {issued && (
        <>
          <SecretOnce
            what="A token for the webhook"
            value={issued.token}
            example={`curl -X POST ${address} -H 'Authorization: Bearer …' -H 'Content-Type: application/json' -d '{"order": 42}'`}
          >
            It is valid until you revoke it. A call with it starts an instance:
          </SecretOnce>
          {isSigned && (
            <SecretOnce
              what="The secret that signs its calls"
              value={issued.secret}
              example="X-Quarterdeck-Signature: t=<unix seconds>,v1=<HMAC-SHA256 of 't.body' in hexadecimal>"
            >
              Sign each call with it, and send the signature as a header:
            </SecretOnce>
          )}
        </>
      )}
      <TokenTable
        label="Tokens of the webhook"
        query={query}
        columns={columns}
        act={act}
        revoke={(token) => revoke(token).unwrap()}
        consequences="Whatever uses it can no longer start instances."
      />
    </Section>
  );
};
