// covers: WF-02
import { draftOf, parseDraft } from '../../ui/form/values';
import { editedTrigger, newTrigger, triggerFields } from './trigger-form';

test.each([
  { starts: 'schedule', schedule: '0 6 * * 1-5', data: { order: 41 } },
  { starts: 'schedule', schedule: '0 6 * * 1-5' },
  { starts: 'webhook', isSigned: false },
  { starts: 'event', event: 'AlertRaised', filter: 'event.data.about == "disk"' },
])('the form accepts and sends what starts the instances: $starts', (typed) => {
  const values = { name: 'One', isOn: true, isSigned: true, ...typed };
  const draft = parseDraft(triggerFields, draftOf(triggerFields, values));
  const sent = { success: true, data: { ...values, ...typed } };
  expect(newTrigger.safeParse(draft)).toMatchObject(sent);
  expect(editedTrigger(values).safeParse(draft)).toMatchObject(sent);
});
