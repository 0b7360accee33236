/** Approving or refusing a pushed version that waits. */
import { Group, TextInput } from '@mantine/core';
import { pushes } from '@quarterdeck/contract';
import type { PushView } from '@quarterdeck/projections';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useChange } from '../../core/calls';
import { useSession } from '../../core/session';
import { Action } from '../../ui/Action';
import { Dim } from '../../ui/Note';
import type { Act } from '../../ui/use-action';
import { envInWords } from './push-words';

const MAX_NOTE = 500;

export const Decision = ({ push, act }: { push: PushView; act: Act }) => {
  const { id, version, env, service, approval = 'admin' } = push;
  const { can } = useSession();
  const [approve] = useChange(pushes.approve);
  const [refuse] = useChange(pushes.refuse);
  const note = useRef('');
  if (!can(approval)) return <Dim>for somebody with the role {approval}</Dim>;
  const question = (
    <TextInput
      label="Note"
      description="Optional. Shown beside the version and in the history."
      maxLength={MAX_NOTE}
      onChange={({ currentTarget: { value } }) => {
        note.current = value;
      }}
    />
  );
  const decide = (isApproved: boolean) => {
    note.current = '';
    return act({
      ask: {
        title: isApproved
          ? `Deploy ${service.name} ${version} to ${envInWords(env.id)}?`
          : `Refuse ${service.name} ${version}?`,
        body: question,
        confirmLabel: isApproved ? 'Approve and deploy' : 'Refuse',
        danger: !isApproved,
      },
      send: () => (isApproved ? approve : refuse)({ id, note: note.current }).unwrap(),
      done: isApproved ? `${version} was approved. Its deploy starts.` : `${version} was refused.`,
      failed: isApproved ? `${version} was not approved` : `${version} was not refused`,
      row: id,
    });
  };
  return (
    <DisabledInPast>
      <Group gap={8} wrap="nowrap" display="inline-flex">
        <Action icon={IconCheck} aria-label={`Approve ${version}`} does={() => decide(true)}>
          Approve
        </Action>
        <Action icon={IconX} variant="default" aria-label={`Refuse ${version}`} does={() => decide(false)}>
          Refuse
        </Action>
      </Group>
    </DisabledInPast>
  );
};
