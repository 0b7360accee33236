// covers: WF-01
import { parseDraft, draftOf } from '../../ui/form/values';
import { inForm, nodeFields, nodeSchema, type Lists, type NodeValues } from './node-form';

const ID = '01930000-0000-7000-8000-000000000001';
const lists = { requests: {}, workflows: {}, services: [] } as unknown as Lists;
const fields = nodeFields(lists);

/** What the form sends if nobody changes it. */
const sentOf = (does: NodeValues['does']) => {
  const node = { name: 'Node', does, isStart: false, keepAs: '' };
  return nodeSchema.safeParse(parseDraft(fields, draftOf(fields, inForm(node))));
};

test.each([
  { is: 'none' },
  { is: 'wait', seconds: 259_200 },
  { is: 'wait', until: '{{data.delivery.at}}' },
  { is: 'person', role: 'admin', choices: ['Approve', 'Reject'], question: 'Ship?', dueSeconds: 5400 },
  { is: 'person', role: 'member', choices: ['Seen'] },
  { is: 'savedRequest', request: { id: ID }, env: { id: 3 }, inputs: [{ name: 'id', value: '{{data.id}}' }] },
  { is: 'command', server: { id: ID }, cmdType: 3 },
  { is: 'script', server: { id: ID }, script: { id: ID } },
  { is: 'script', server: { id: ID }, script: { id: ID }, args: ['{{data.order.id}}', '', 'two words'] },
  { is: 'deploy', service: { id: ID }, packageId: 'v2' },
  { is: 'notification', title: 'Done', text: 'All of it' },
  { is: 'workflow', workflow: { id: ID } },
] as NodeValues['does'][])('the form gives back what the node does: $is', (does) => {
  expect(sentOf(does)).toEqual({
    success: true,
    data: { name: 'Node', isStart: false, keepAs: '', arrow: undefined, does },
  });
});

test('a message about a part of the action is under its field', () => {
  const typed = { name: 'Ask', does: { is: 'person', role: 'admin', choices: ' \n' } };
  const { error } = nodeSchema.safeParse(typed);
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['does.choices']);
});

test('another kind of action sends nothing of the former one', () => {
  const draft = draftOf(
    fields,
    inForm({ name: 'A', does: { is: 'wait', seconds: 60 }, isStart: false, keepAs: '' }),
  );
  const sent = nodeSchema.parse(
    parseDraft(fields, { ...draft, does: { ...(draft.does as object), is: 'none' } }),
  );
  expect(sent.does).toEqual({ is: 'none' });
});

test('the transition to a new node is no part of the node', () => {
  const typed = { name: 'A', does: { is: 'none' }, arrow: { on: 'done', when: 'true' } };
  expect(nodeSchema.safeParse(typed)).toMatchObject({ success: true, data: { arrow: { when: 'true' } } });
});
