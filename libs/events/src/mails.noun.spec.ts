import { email } from './mails.noun';

test('the history of an e-mail says what was read from it', () => {
  const { EmailParsed: read } = email.events;
  expect(read({ attachments: 0 })).toBe(
    'read sender, recipients, subject and text of the e-mail, and no attachment',
  );
  expect(read({ attachments: 2 })).toMatch(/and 2 attachments$/);
  expect(read({ attachments: 0, problem: 'malformed' })).toBe(
    'kept only the source of the e-mail: it is malformed',
  );
});

test('the history of an e-mail says why it was deleted', () => {
  const { EmailRemoved: removed } = email.events;
  expect(removed({})).toBe('deleted the e-mail');
  expect(removed({ because: 'retention', days: 30 })).toBe(
    'deleted the e-mail after 30 days as its retention says',
  );
  expect(removed({ because: 'forgotten' })).toBe('deleted the e-mail with a forgotten person');
});
