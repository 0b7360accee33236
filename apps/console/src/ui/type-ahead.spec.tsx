/** covers: SHELL-10, TBL-01 */
import { Menu } from '@mantine/core';
import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderPage } from '../testing/render';
import { typed } from './type-ahead';

test.each([349, 350])('joins letters typed less than 350 ms apart: after %s ms', (pause) => {
  const first = typed({ text: '', at: 0 }, 'S', 1000);
  expect(first).toEqual({ text: 's', at: 1000 });
  expect(typed(first, 'e', 1000 + pause).text).toBe(pause < 350 ? 'se' : 'e');
});

let at = 10_000;

const open = async () => {
  at += 10_000;
  renderPage(
    <Menu>
      <Menu.Target>
        <button>Open</button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item>Edit</Menu.Item>
        <Menu.Item>Settings</Menu.Item>
        <Menu.Item disabled>Sell</Menu.Item>
        <Menu.Item leftSection={<i>x</i>}>Server</Menu.Item>
      </Menu.Dropdown>
    </Menu>,
  );
  await userEvent.click(screen.getByText('Open'));
  await screen.findByRole('menu');
  return (key: string, pause: number): string | null => {
    at += pause;
    const target = screen.getByRole('menu').contains(document.activeElement)
      ? (document.activeElement as Element)
      : screen.getByRole('menu');
    const press = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    Object.defineProperty(press, 'timeStamp', { value: at });
    fireEvent(target, press);
    return document.activeElement?.textContent ?? null;
  };
};

test('letters focus the item that starts with them, and start over after 350 ms', async () => {
  const press = await open();
  expect(press('s', 0)).toBe('Settings');
  expect(press('e', 100)).toBe('Settings');
  expect(press('r', 100)).toBe('xServer');
  expect(press('e', 349)).toBe('xServer');
  expect(press('e', 350)).toBe('Edit');
});

test('repeating a letter focuses the next item that starts with it', async () => {
  const press = await open();
  expect([press('s', 0), press('s', 100), press('s', 100), press('s', 1000)]).toEqual([
    'Settings',
    'xServer',
    'Settings',
    'xServer',
  ]);
});
