// covers: AUTH-07
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerWith } from '../../testing/network';
import { renderPage, sessionOf } from '../../testing/render';
import { Name } from './Name';

test('lets users change their name in place and shows a refusal under the field', async () => {
  const { calls, on } = answerWith({
    'POST /api/person/rename': { status: 400, body: { msg: 'no', data: { name: 'this text is refused' } } },
    'GET /api/session': {
      body: { ...sessionOf(), profile: { ...sessionOf().profile, firstName: 'Ada', lastName: 'King' } },
    },
  });
  renderPage(<Name />, { session: sessionOf() });
  expect(screen.getByText('Ada Marsh')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Change name' }));
  const field = screen.getByRole('textbox', { name: 'Name' });
  await userEvent.clear(field);
  await userEvent.click(screen.getByRole('button', { name: 'Save name' }));
  expect(await screen.findByText('This field is required')).toBeVisible();
  expect(calls).toEqual([]);
  await userEvent.type(field, 'Ada King');
  await userEvent.click(screen.getByRole('button', { name: 'Save name' }));
  expect(await screen.findByText('this text is refused')).toBeVisible();
  on('POST /api/person/rename', { body: {} });
  await userEvent.click(screen.getByRole('button', { name: 'Save name' }));
  expect(await screen.findByText('Ada King')).toBeVisible();
  expect(calls.find(({ path }) => path === '/api/person/rename')?.body).toEqual({ name: 'Ada King' });
});
