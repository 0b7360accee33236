// covers: WF-01
import type { WorkflowDoes } from '@quarterdeck/events';
import { Hooks } from '../platform/hooks';
import { ActionRegistry } from './action-registry';
import { WorkflowConditions } from './conditions';
import { DraftFindings } from './draft-findings';

it('tells of an action that no feature does, instead of refusing to look at the draft', async () => {
  const id = '0193f0a0-0000-7000-8000-000000000001';
  const does: WorkflowDoes = { is: 'notification', title: 'Done' };
  const findings = new DraftFindings(new ActionRegistry(new Hooks()), new WorkflowConditions());
  const node = { id, name: 'Tell', does, isStart: true, keepAs: '', place: null };
  expect(await findings.of({ nodes: [node], transitions: [] }, 'w')).toEqual([
    {
      severity: 'problem',
      node: id,
      field: 'does.is',
      says: 'Tell: this version of the console does not know the action notification',
    },
  ]);
});
