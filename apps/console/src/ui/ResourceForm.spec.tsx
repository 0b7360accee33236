/** covers: TBL-02, VAL-01, VAL-02, ERR-01 */
import { array } from 'zod';
import { boolean, integer, longText, object, text } from '@quarterdeck/events/inputs';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { press, pressAnyway } from '../testing/presses';
import { renderPage } from '../testing/render';
import { EditInPlace, useEditBase } from './EditInPlace';
import { ActorOfChange } from './form/actor-of-change';
import { ResourceForm, type Field, type ResourceFormProps } from './ResourceForm';

const schema = object({
  alias: text(20),
  port: integer(65535).optional(),
  key: longText(100),
  fast: boolean,
});
const fields: Field[] = [
  { name: 'alias', label: 'Alias', type: 'text', help: 'How you call it' },
  { name: 'port', label: 'Port', type: 'number', optional: true },
  { name: 'key', label: 'Private key', type: 'secret', stored: { fingerprint: 'SHA256:abc' } },
  { name: 'fast', label: 'Fast', type: 'checkbox' },
];

type Props = ResourceFormProps<typeof schema>;

const show = (props: Partial<Props> = {}) => {
  const sent: unknown[] = [];
  const onSubmit: Props['onSubmit'] = async (values, context) => void sent.push([values, context]);
  const view = renderPage(
    <ActorOfChange value={(id) => (id === 'bea' ? 'Bea Lind' : id)}>
      <ResourceForm schema={schema} fields={fields} submitLabel="Save" onSubmit={onSubmit} {...props} />
    </ActorOfChange>,
    {
      others: [{ path: '/elsewhere', element: <p>Elsewhere</p> }],
    },
  );
  return { ...view, sent };
};

const fillIn = async (): Promise<void> => {
  await userEvent.type(screen.getByLabelText('Alias'), 'web-1');
  await userEvent.type(screen.getByLabelText('Private key'), 'KEY');
};

test('sends the values parsed by the schema when Enter is pressed', async () => {
  const { sent } = show();
  await fillIn();
  await userEvent.type(screen.getByLabelText(/Port/), '2222{Enter}');
  await waitFor(() => expect(sent).toEqual([[{ alias: 'web-1', port: 2222, key: 'KEY', fast: false }, {}]]));
});

test('shows the first message of each field under it and focuses the first invalid field', async () => {
  const { sent } = show();
  await userEvent.type(screen.getByLabelText(/Port/), 'many');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getAllByText('This field is required')).toHaveLength(2);
  expect(screen.getByText('a whole number from 0 to 65535 is expected')).toBeVisible();
  expect(screen.getByLabelText('Alias')).toHaveFocus();
  expect(screen.getByLabelText('Alias')).toBeInvalid();
  expect(sent).toEqual([]);
  await userEvent.type(screen.getByLabelText('Alias'), 'w');
  expect(screen.getAllByText('This field is required')).toHaveLength(1);
});

test('opens rare fields for a message in them, and keeps the focus while it is mended', async () => {
  show({
    fields: fields.map((field) => (field.name === 'port' ? { ...field, rare: true } : field)),
    onSubmit: async () => {
      throw { status: 400, msg: 'not accepted', data: { port: 'this port is taken' } };
    },
  });
  expect(screen.queryByLabelText(/Port/)).toBeNull();
  await fillIn();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('this port is taken')).toBeVisible();
  await waitFor(() => expect(screen.getByLabelText(/Port/)).toHaveFocus());
  await userEvent.type(screen.getByLabelText(/Port/), '2222');
  expect(screen.queryByText('this port is taken')).toBeNull();
  expect(screen.getByLabelText(/Port/)).toHaveFocus();
  expect(screen.getByLabelText(/Port/)).toHaveValue('2222');
});

test("shows the server's messages under their fields", async () => {
  show({
    onSubmit: async () => {
      throw { status: 400, msg: 'not accepted', data: { alias: 'another server already has this alias' } };
    },
  });
  await fillIn();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('another server already has this alias')).toBeVisible();
  await waitFor(() => expect(screen.getByLabelText('Alias')).toHaveFocus());
  // Editing the field removes its message and adds no other.
  await userEvent.type(screen.getByLabelText('Alias'), 'b');
  expect(screen.queryByText('another server already has this alias')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('shows a message about what the call names `data` under its field', async () => {
  show({
    onSubmit: async () => {
      throw {
        status: 400,
        msg: 'not accepted',
        data: { 'data.alias': 'is taken', 'data.quota': 'is used up' },
      };
    },
  });
  await fillIn();
  await press(() => screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('is taken')).toBeVisible();
  await waitFor(() => expect(screen.getByLabelText('Alias')).toHaveFocus());
  expect(screen.getByRole('alert')).toHaveTextContent('data.quota: is used up');
});

test('shows messages about unknown fields beside the button, and others under their fields', async () => {
  show({
    onSubmit: async () => {
      throw { status: 400, msg: 'not accepted', data: { alias: 'is taken', quota: 'is used up' } };
    },
  });
  await fillIn();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('is taken')).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent('quota: is used up');
});

test('shows a failure without fields beside the button with its correlation id, and keeps the input', async () => {
  const { go } = show({
    onSubmit: async () => {
      throw { status: 500, msg: 'The server failed', correlationId: 'c-3' };
    },
  });
  await fillIn();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('The server failed');
  expect(screen.getByRole('alert')).toHaveTextContent('c-3');
  expect(screen.getByLabelText('Alias')).toHaveValue('web-1');
  await go('/elsewhere');
  expect(await screen.findByText('Leave without saving?')).toBeVisible();
});

test('a refusal without fields is focused, after the fields and before the button', async () => {
  let count = 0;
  show({
    onSubmit: async () => {
      count += 1;
      throw { status: 409, msg: `refused ${count}` };
    },
  });
  await fillIn();
  for (const times of [1, 2]) {
    await press(() => screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(`refused ${times}`)).toBeVisible();
    await waitFor(() => expect(screen.getByRole('alert')).toHaveFocus());
  }
  const order = (a: Node, b: Node): boolean =>
    Boolean(a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING);
  expect(order(screen.getByLabelText('Fast'), screen.getByRole('alert'))).toBe(true);
  expect(order(screen.getByRole('alert'), screen.getByRole('button', { name: 'Save' }))).toBe(true);
});

test('the first field of a form that was opened has the focus, and one that is always there takes none', () => {
  const { unmount } = show({ onCancel: () => undefined });
  expect(screen.getByLabelText('Alias')).toHaveFocus();
  unmount();
  show();
  expect(document.body).toHaveFocus();
});

test('the focus returns to the button of a form that stays open after it was sent', async () => {
  let end = (): void => undefined;
  show({ onSubmit: () => new Promise((resolve) => (end = () => resolve())) });
  await fillIn();
  await press(() => screen.getByRole('button', { name: 'Save' }));
  // A browser takes the focus from a disabled button; jsdom does not.
  act(() => (document.activeElement as HTMLElement).blur());
  act(() => end());
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toHaveFocus());
});

test('after an edit in place, the focus is where the form was opened', async () => {
  renderPage(
    <EditInPlace
      title="Details"
      view={<p>Shown</p>}
      form={(done) => (
        <ResourceForm
          schema={schema}
          fields={fields}
          submitLabel="Save"
          onCancel={done}
          onSubmit={async () => done()}
        />
      )}
    />,
  );
  await press(() => screen.getByRole('radio', { name: 'Edit' }));
  await waitFor(() => expect(screen.getByLabelText('Alias')).toHaveFocus());
  await fillIn();
  await press(() => screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Shown')).toBeVisible();
  await waitFor(() => expect(screen.getByRole('radio', { name: 'View' })).toHaveFocus());
});

test('shows the fingerprint of a secret and never its value', () => {
  show({ initial: { alias: 'web-1', key: 'hush' } });
  expect(screen.getByText('SHA256:abc')).toBeVisible();
  expect(screen.getByLabelText('Private key')).toHaveValue('');
});

test('a conflict shows both versions field by field, and saves the choice against the newer one', async () => {
  const calls: unknown[] = [];
  const made = { changedBy: 'bea', changedAt: new Date(Date.now() - 120_000).toISOString() };
  const current = { alias: 'theirs', port: 2200, fast: false, revision: 7, ...made };
  show({
    initial: { alias: 'before', port: 22, fast: false },
    onSubmit: async (values, context) => {
      calls.push([values.alias, values.port, context.current?.revision]);
      if (calls.length === 1) throw { status: 409, msg: 'web-1 was changed by Bea', current };
    },
  });
  await userEvent.clear(screen.getByLabelText('Alias'));
  await userEvent.type(screen.getByLabelText('Alias'), 'mine');
  await userEvent.type(screen.getByLabelText('Private key'), 'KEY');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const panel = await screen.findByRole('alert', { name: 'Conflict' });
  expect(panel).toHaveTextContent('Bea Lind changed this 2 minutes ago. Nothing was saved.');
  await waitFor(() => expect(panel).toHaveFocus());
  // The Save button would only conflict again, so it is hidden.
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  expect(panel).toHaveTextContent('mine');
  expect(panel).toHaveTextContent('theirs');
  // Of what the operator edited, their own version is chosen already; what only the other one changed is no question.
  expect(screen.queryByRole('radiogroup', { name: 'Port' })).toBeNull();
  expect(panel).toHaveTextContent('Only they changed, and it stays so: Port: 2200.');
  await userEvent.click(screen.getByRole('button', { name: 'Save these choices' }));
  await waitFor(() =>
    expect(calls).toEqual([
      ['mine', 22, undefined],
      ['mine', 2200, 7],
    ]),
  );
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toHaveFocus());
  // The saved version is the next base; the resolved conflict is forgotten.
  await userEvent.type(screen.getByLabelText('Alias'), '!');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(calls.at(-1)).toEqual(['mine!', 2200, undefined]));
});

test('asks only about a field that both have changed, and keeps what only one of them changed', async () => {
  const start = { alias: 'before', port: 22, fast: false };
  const current = { ...start, alias: 'theirs', revision: 7 };
  const calls: unknown[] = [];
  const onSubmit: Props['onSubmit'] = async ({ alias, fast }, { current: seen }) => {
    if (calls.push([alias, fast, seen?.revision]) === 1) throw { status: 409, msg: 'changed', current };
  };
  show({ initial: start, onSubmit });
  await userEvent.type(screen.getByLabelText('Alias'), '!');
  await userEvent.type(screen.getByLabelText('Private key'), 'KEY');
  await userEvent.click(screen.getByLabelText('Fast'));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('radiogroup')).toHaveTextContent('before!');
  await userEvent.click(screen.getByRole('radio', { name: 'Theirs' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save these choices' }));
  await waitFor(() => expect(calls.at(-1)).toEqual(['theirs', true, 7]));
});

test('a value that somebody else removed is not restored silently', async () => {
  const calls: unknown[] = [];
  show({
    initial: { alias: 'web-1', port: 22, fast: false },
    onSubmit: async ({ alias, port }) => {
      calls.push([alias, port]);
      if (calls.length === 1)
        throw { status: 409, msg: 'changed', current: { alias: 'web-1', fast: false, revision: 7 } };
    },
  });
  await userEvent.type(screen.getByLabelText('Alias'), 'b');
  await userEvent.type(screen.getByLabelText('Private key'), 'KEY');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('alert', { name: 'Conflict' })).toHaveTextContent('Port: (empty)');
  await userEvent.click(screen.getByRole('button', { name: 'Save both changes' }));
  await waitFor(() => expect(calls.at(-1)).toEqual(['web-1b', undefined]));
});

test('a conflict without a newer version is shown like any other refusal', async () => {
  show({
    onSubmit: async () => {
      throw { status: 409, msg: 'a run is under way', current: { runId: 'r', kind: 'deploy' } };
    },
  });
  await fillIn();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('a run is under way');
  expect(screen.queryByRole('alert', { name: 'Conflict' })).not.toBeInTheDocument();
});

test('asks before leaving with unsaved changes, and keeps them on Stay', async () => {
  const { router, go } = show();
  await userEvent.type(screen.getByLabelText('Alias'), 'w');
  await go('/elsewhere');
  expect(await screen.findByRole('dialog')).toHaveTextContent('Leave without saving?');
  await userEvent.click(screen.getByRole('button', { name: 'Stay' }));
  expect(router.state.location.pathname).toBe('/');
  expect(screen.getByLabelText('Alias')).toHaveValue('w');
  await go('/elsewhere');
  await userEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  expect(await screen.findByText('Elsewhere')).toBeVisible();
});

test('pressing Back again while the question is open does not ask a second time', async () => {
  const { router, go } = show();
  await go('/elsewhere');
  await screen.findByText('Elsewhere');
  await go('/form');
  await userEvent.type(await screen.findByLabelText('Alias'), 'w');
  const back = (): Promise<void> => act(async () => void router.navigate(-1));
  await back();
  await screen.findByRole('dialog');
  await back();
  await userEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  expect(await screen.findByText('Elsewhere')).toBeVisible();
});

test('does not ask before leaving once the changes are saved', async () => {
  const { go, sent } = show();
  await fillIn();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  await go('/elsewhere');
  expect(await screen.findByText('Elsewhere')).toBeVisible();
});

test('does not submit again while the first submit is pending', async () => {
  let count = 0;
  show({
    onSubmit: () => {
      count += 1;
      return new Promise(() => undefined);
    },
  });
  await fillIn();
  // The first click disables the button.
  await pressAnyway(() => userEvent.dblClick(screen.getByRole('button', { name: 'Save' })));
  expect(count).toBe(1);
});

describe('an open form whose row changes meanwhile', () => {
  interface Thing {
    alias: string;
    port: number;
    revision: number;
  }
  const only: Field[] = [
    { name: 'alias', label: 'Alias', type: 'text' },
    { name: 'port', label: 'Port', type: 'number' },
  ];
  const same = (a: Thing, b: Thing): boolean => a.alias === b.alias && a.port === b.port;
  const sent: unknown[] = [];
  const Edited = ({ thing }: { thing: Thing }) => {
    const { opened, revision, adopt, touch } = useEditBase(thing, same);
    return (
      <ResourceForm
        schema={object({ alias: text(20), port: integer(65535) })}
        fields={only}
        initial={{ ...opened }}
        submitLabel="Save"
        onTouched={touch}
        onSubmit={async (values, { current }) => {
          sent.push([values, revision(current)]);
          adopt({ ...values, revision: revision(current) + 1 });
        }}
      />
    );
  };
  let push: (thing: Thing) => void;
  const Live = () => {
    const [thing, setThing] = useState({ alias: 'web-1', port: 22, revision: 1 });
    useEffect(() => {
      push = (next) => act(() => setThing(next));
    }, []);
    return <Edited thing={thing} />;
  };
  const alias = () => screen.getByLabelText('Alias');
  beforeEach(() => void sent.splice(0));

  test('follows the row until something is typed, and saves against the revision typed upon', async () => {
    renderPage(<Live />);
    push({ alias: 'web-2', port: 22, revision: 2 });
    expect(alias()).toHaveValue('web-2');
    await userEvent.type(alias(), '!');
    push({ alias: 'web-3', port: 23, revision: 3 });
    expect(alias()).toHaveValue('web-2!');
    expect(screen.getByLabelText('Port')).toHaveValue('22');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toEqual([[{ alias: 'web-2!', port: 22 }, 2]]));
  });

  test('follows the row again once the input is reverted', async () => {
    renderPage(<Live />);
    await userEvent.type(alias(), '!');
    push({ alias: 'web-2', port: 23, revision: 2 });
    expect(alias()).toHaveValue('web-1!');
    await userEvent.type(alias(), '{Backspace}');
    await waitFor(() => expect(alias()).toHaveValue('web-2'));
    expect(screen.getByLabelText('Port')).toHaveValue('23');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toEqual([[{ alias: 'web-2', port: 23 }, 2]]));
  });

  test('keeps the saved values until its own change is pushed back', async () => {
    renderPage(<Live />);
    await userEvent.type(alias(), '!');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(alias()).toHaveValue('web-1!');
    push({ alias: 'web-1!', port: 22, revision: 2 });
    push({ alias: 'web-4', port: 22, revision: 3 });
    expect(alias()).toHaveValue('web-4');
  });
});

describe('a form with a list and a nested object', () => {
  const rows = object({
    name: text(20),
    limits: object({ memory: integer(4096) }),
    upstreams: array(object({ host: text(20), port: integer(65535).optional(), backup: boolean })).min(
      1,
      'Name at least one upstream',
    ),
  });
  const nested: Field[] = [
    { name: 'name', label: 'Name', type: 'text' },
    {
      name: 'limits',
      label: 'Limits',
      type: 'group',
      fields: [{ name: 'memory', label: 'Memory in MB', type: 'number' }],
    },
    {
      name: 'upstreams',
      label: 'Upstreams',
      row: 'Upstream',
      type: 'list',
      fields: [
        { name: 'host', label: 'Host', type: 'text' },
        { name: 'port', label: 'Port', type: 'number', optional: true, when: ({ host }) => host !== '' },
        { name: 'backup', label: 'Backup', type: 'checkbox' },
      ],
    },
  ];
  const open = (
    initial: Record<string, unknown>,
    onSubmit: ResourceFormProps<typeof rows>['onSubmit'] = async () => undefined,
  ) =>
    renderPage(
      <ResourceForm schema={rows} fields={nested} initial={initial} submitLabel="Save" onSubmit={onSubmit} />,
      { others: [{ path: '/elsewhere', element: <p>Elsewhere</p> }] },
    );
  const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
  const upstream = (at: number) => within(screen.getByRole('region', { name: `Upstream ${at}` }));
  const shop = {
    name: 'shop',
    limits: { memory: 512 },
    upstreams: [
      { host: 'a', port: 80, backup: false },
      { host: 'b', backup: true },
    ],
  };

  test('sends the rows after one was added and one removed', async () => {
    const sent: unknown[] = [];
    open(shop, async (values) => void sent.push(values));
    await press('Add upstream');
    await userEvent.type(upstream(3).getByLabelText('Host'), 'c');
    await userEvent.type(upstream(3).getByLabelText(/Port/), '8080');
    await press('Remove upstream 1');
    await press('Save');
    await waitFor(() =>
      expect(sent).toEqual([
        {
          name: 'shop',
          limits: { memory: 512 },
          upstreams: [
            { host: 'b', backup: true },
            { host: 'c', port: 8080, backup: false },
          ],
        },
      ]),
    );
  });

  test('shows a message about a row in that row, and one about the list above its rows', async () => {
    open({ name: 'shop', limits: { memory: 512 } });
    await press('Save');
    expect(await screen.findByText('Name at least one upstream')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('group', { name: 'Upstreams' })).toHaveFocus());
    await press('Add upstream');
    expect(screen.queryByText('Name at least one upstream')).toBeNull();
    await press('Add upstream');
    await userEvent.type(upstream(1).getByLabelText('Host'), 'a');
    await userEvent.type(upstream(1).getByLabelText(/Port/), 'many');
    await press('Save');
    expect(await upstream(1).findByText(/^a whole number from \d+ to 65535 is expected$/)).toBeVisible();
    expect(upstream(2).getByText('This field is required')).toBeVisible();
    expect(upstream(1).getByLabelText(/Port/)).toHaveFocus();
  });

  test('asks before leaving with an added row, but not once that row is removed', async () => {
    const { go } = open(shop);
    await press('Add upstream');
    await go('/elsewhere');
    await userEvent.click(await screen.findByRole('button', { name: 'Stay' }));
    await press('Remove upstream 3');
    await go('/elsewhere');
    expect(await screen.findByText('Elsewhere')).toBeVisible();
  });

  test('shows both versions of a list in a conflict, and saves the chosen one', async () => {
    const sent: unknown[] = [];
    const theirs = { ...shop, upstreams: [{ host: 'z', backup: false }], revision: 7 };
    open(shop, async (values, { current }) => {
      sent.push([values.upstreams, current?.revision]);
      if (sent.length === 1) throw { status: 409, msg: 'changed', current: theirs };
    });
    await press('Remove upstream 2');
    await press('Save');
    const choice = within(await screen.findByRole('radiogroup', { name: 'Upstreams' }));
    expect(choice.getByText('Host: a, Port: 80, Backup: no')).toBeVisible();
    await userEvent.click(choice.getByRole('radio', { name: 'Theirs' }));
    await press('Save these choices');
    await waitFor(() => expect(sent.at(-1)).toEqual([[{ host: 'z', backup: false }], 7]));
    expect(screen.getAllByLabelText('Host')).toHaveLength(1);
  });
});
