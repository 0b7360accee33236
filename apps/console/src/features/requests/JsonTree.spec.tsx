/** The tree by keyboard, as the tree pattern of WAI-ARIA says. covers: REQ-02 */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderPage } from '../../testing/render';
import { withAnsweringWorkers } from '../../testing/workers';
import { JsonReader, type JsonAsked } from './json-rows';
import { JsonTree } from './JsonTree';

const orders = { total: 2, orders: [{ id: 41, customer: { name: 'Ada' } }], open: true };

const openTree = async (json: unknown): Promise<HTMLElement> => {
  withAnsweringWorkers(() => {
    const reader = new JsonReader();
    return (asked: JsonAsked) => reader.answer(asked);
  });
  renderPage(<JsonTree bytes={new TextEncoder().encode(JSON.stringify(json))} />);
  const tree = await screen.findByRole('tree', { name: 'Body as JSON' });
  tree.focus();
  return tree;
};

/** The row that the tree names as the active one. */
const activeOf = (tree: HTMLElement): string =>
  document.getElementById(tree.getAttribute('aria-activedescendant') ?? '')?.textContent ?? 'none';

const isAt = (tree: HTMLElement, text: string): Promise<void> =>
  waitFor(() => expect(activeOf(tree)).toBe(text));

test('arrow keys go through the rows, open and close them, and Home and End lead to the ends', async () => {
  const tree = await openTree(orders);
  const user = userEvent.setup();
  const presses = async (key: string, leadsTo: string): Promise<void> => {
    await user.keyboard(`{${key}}`);
    await isAt(tree, leadsTo);
  };
  await isAt(tree, '{3 keys}');
  await presses('ArrowUp', '{3 keys}');
  await presses('ArrowDown', 'total: 2');
  await presses('ArrowRight', 'total: 2');
  await presses('End', 'open: true');
  await presses('ArrowDown', 'open: true');
  await presses('ArrowLeft', '{3 keys}');
  await presses('ArrowRight', 'total: 2');
  await presses('ArrowDown', 'orders: [1 element]');
  await presses('ArrowRight', '0: {2 keys}');

  // The first right opens what is closed, the second leads into it; left leads out again, and closes.
  const row = (name: string) => screen.getByRole('treeitem', { name });
  expect(row('0: {2 keys}')).toHaveAttribute('aria-expanded', 'false');
  await user.keyboard('{ArrowRight}');
  await waitFor(() => expect(row('0: {2 keys}')).toHaveAttribute('aria-expanded', 'true'));
  await isAt(tree, '0: {2 keys}');
  await presses('ArrowRight', 'id: 41');
  await presses('ArrowDown', 'customer: {1 key}');
  expect(screen.getByText('orders[0].customer')).toBeVisible();
  await presses('ArrowLeft', '0: {2 keys}');
  await user.keyboard('{ArrowLeft}');
  await waitFor(() => expect(row('0: {2 keys}')).toHaveAttribute('aria-expanded', 'false'));
  await presses('ArrowLeft', 'orders: [1 element]');
  await presses('Home', '{3 keys}');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(row('{3 keys}')).toHaveAttribute('aria-expanded', 'false'));
  expect(screen.getAllByRole('treeitem')).toHaveLength(1);
  expect(tree).toHaveFocus();
});

test('a click opens a row and makes it the active one', async () => {
  const tree = await openTree(orders);
  await userEvent.click(screen.getByRole('treeitem', { name: '0: {2 keys}' }));
  await isAt(tree, '0: {2 keys}');
  expect(await screen.findByRole('treeitem', { name: 'customer: {1 key}' })).toHaveAttribute(
    'aria-level',
    '4',
  );
  expect(screen.getByRole('treeitem', { name: 'id: 41' })).toHaveAttribute('aria-setsize', '2');
});
