// covers: DOM-03
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../../../app/router';
import { domainOf, pageOfDomains } from '../../../testing/domain';
import { answerWith, type Reply } from '../../../testing/network';
import { renderRoutes, sessionOf } from '../../../testing/render';
// Preloads the lazy modules, so that loading them does not count towards a test's timeout.
import '../DomainPage';
import './EditedLocation';
import './LocationsTab';

const ID = '01930000-0000-7000-8000-000000000f01';
const OTHER = '01930000-0000-7000-8000-000000000f02';
const API = {
  id: '01930000-0000-7000-8000-000000000f03',
  location: '/api/',
  match: 'prefix',
  url: 'http://app/',
};
const found = { ...domainOf(ID, { locations: [API] }) };
const gone: Reply = { status: 404, body: { msg: 'domain could not be found' }, position: '6' };

const open = async (editing: string) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/person/list': { body: [] },
    'POST /api/workspace/detail': { body: { revision: 1, sslMonitor: { expiringDays: 30 } } },
    'POST /api/deploy/logs/list': { body: [] },
    'POST /api/domain/page': pageOfDomains(found, domainOf(OTHER, { serverName: 'blog.example.org' })),
    'POST /api/domain/detail': { body: found, position: '5' },
    'POST /api/product/backend/addresses': { body: [] },
    'POST /api/nginx/generate': { body: { nginxStatement: '', applied: null, same: false, problems: {} } },
    'POST /api/domain/location/insert': { body: { id: 'x', uuid: 'x' } },
  });
  const at = `/app/domain/${ID}/edit?tab=locations&location=${editing}`;
  const { store, router } = renderRoutes(routes, { at, session: sessionOf('admin') });
  const editor = within(await screen.findByRole('dialog'));
  /** Simulates a change by somebody else that is pushed to this console. */
  const elsewhere = (type: string, answer: Reply): void => {
    network.on('POST /api/domain/detail', answer);
    act(() => store.liveCache.push([{ type, stream: `domain-${ID}`, position: '6' }]));
  };
  const added = (): unknown =>
    network.calls.findLast(({ path }) => path === '/api/domain/location/insert')?.body;
  return { editor, elsewhere, added, router };
};

test('keeps the input when the location is deleted meanwhile, and can add it as a new one', async () => {
  const { editor, elsewhere, added, router } = await open(API.id);
  const timeout = await editor.findByLabelText(/Timeout in seconds/);
  await userEvent.type(timeout, '30');
  elsewhere('LocationRemoved', { body: domainOf(ID, { revision: 4 }), position: '6' });
  expect(await editor.findByRole('alert')).toHaveTextContent('/api/ was deleted meanwhile');
  expect(timeout).toHaveValue('30');
  await userEvent.click(editor.getByRole('button', { name: 'Save as a new location' }));
  await waitFor(() => expect(router.state.location.search).toBe('?tab=locations'));
  const { id: _, ...fields } = API;
  expect(added()).toMatchObject({ domain: { id: ID }, data: { ...fields, timeout: 30 } });
});

test.each([
  ['a new one', 'new'],
  ['one that was there', API.id],
])(
  'when its domain is deleted, %s stays in the editor and can be added to another domain',
  async (_which, editing) => {
    const { editor, elsewhere, added, router } = await open(editing);
    const location = await editor.findByLabelText('Location');
    await userEvent.clear(location);
    await userEvent.type(location, '/v2/');
    await userEvent.clear(editor.getByLabelText('Upstream'));
    await userEvent.type(editor.getByLabelText('Upstream'), 'http://app/');
    elsewhere('DomainRemoved', gone);
    expect(await editor.findByRole('alert')).toHaveTextContent('shop.example.org was deleted meanwhile');
    expect(location).toHaveValue('/v2/');
    const add = editor.getByRole('button', { name: 'Save as a new location' });
    await userEvent.click(add);
    expect(await editor.findByText('Choose a domain to add it to')).toBeVisible();
    expect(added()).toBeUndefined();
    await editor.findByRole('option', { name: 'blog.example.org' });
    await userEvent.selectOptions(editor.getByLabelText('Add it to'), 'blog.example.org');
    await userEvent.click(add);
    await waitFor(() => expect(router.state.location.search).toBe('?tab=locations'));
    expect(added()).toMatchObject({ domain: { id: OTHER }, data: { location: '/v2/' } });
  },
);
