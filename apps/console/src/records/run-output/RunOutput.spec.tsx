import { MantineProvider } from '@mantine/core';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { OutputLog, TELL_EVERY_MS } from './output-log';
import { RunOutput, type RunOutputProps } from './RunOutput';

const VIEW_HEIGHT = 400;

// jsdom does no layout, but the virtual list needs the size of its viewport.
beforeAll(() => {
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', {
    configurable: true,
    get: () => VIEW_HEIGHT,
  });
  Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, get: () => 800 });
});
beforeEach(() => localStorage.setItem('quarterdeck.output-wrap', 'false'));

let seq = 0;
const append = (log: OutputLog, text: string, stream: 'out' | 'err' = 'out', step?: string) =>
  act(async () => {
    log.append([{ seq: (seq += 1), at: '2026-11-20T10:00:00Z', stream, text, ...(step && { step }) }]);
    await new Promise((told) => setTimeout(told, TELL_EVERY_MS + 5));
  });

const show = (log: OutputLog, props: Partial<RunOutputProps> = {}, address = '/app/run/1') =>
  render(
    <MantineProvider env="test">
      <MemoryRouter initialEntries={[address]}>
        <RunOutput
          log={log}
          label="Output of Memory usage on web-1"
          live={false}
          filename="memory.txt"
          {...props}
        />
      </MemoryRouter>
    </MantineProvider>,
  );
/** Collects the copied texts, because the clipboard of user-event cannot be read back here. */
const clipboard = (): string[] => {
  const texts: string[] = [];
  const writeText = (text: string) => Promise.resolve(void texts.push(text));
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
  return texts;
};
const region = () => screen.getByRole('log', { name: 'Output of Memory usage on web-1' });

describe('the output of a run', () => {
  it('says that it is waiting while there is no output, and afterwards that there was none', async () => {
    const log = new OutputLog();
    const { unmount } = show(log, { live: true });
    expect(screen.getByText('Waiting for output …')).toBeInTheDocument();
    unmount();
    show(log);
    expect(screen.getByText('No output.')).toBeInTheDocument();
  });

  it('shows lines as they arrive, each with a link to itself, and labels error lines', async () => {
    const log = new OutputLog();
    show(log, { live: true });
    await append(log, 'Mem: 2048\n');
    await append(log, 'careful\n', 'err');
    expect(within(region()).getByText('Mem: 2048')).toBeInTheDocument();
    expect(within(region()).getByText('err')).toBeInTheDocument();
    expect(within(region()).getByRole('link', { name: 'Line 2' })).toHaveAttribute('href', '/app/run/1#L2');
    expect(screen.getByText('2 lines')).toBeInTheDocument();
  });

  it('shows markup in the output as text', async () => {
    const log = new OutputLog();
    await append(log, '<img src=x onerror=alert(1)>\x1b[31m<b>red</b>\n');
    show(log);
    expect(region().querySelector('img, b')).toBeNull();
    expect(region()).toHaveTextContent('<img src=x onerror=alert(1)><b>red</b>');
  });

  it('renders only the lines in view', async () => {
    const log = new OutputLog();
    await append(log, Array.from({ length: 100_000 }, (_, i) => `line ${i + 1}\n`).join(''));
    show(log);
    expect(within(region()).getAllByRole('link').length).toBeLessThan(100);
    expect(screen.getByText('100,000 lines')).toBeInTheDocument();
  });

  it('keeps the height of wrapped lines when the next step begins', async () => {
    localStorage.setItem('quarterdeck.output-wrap', 'true');
    const height = jest.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(60);
    const log = new OutputLog();
    show(log, { live: true, markLabel: ({ step }) => step });
    await append(log, 'a long line\nthe next one\n', 'out', 'first');
    await append(log, 'of another step\n', 'out', 'second');
    const rows = [...region().querySelectorAll<HTMLElement>('[data-index]')];
    expect(rows.map(({ style }) => style.transform)).toEqual(
      [0, 60, 120].map((top) => `translateY(${top}px)`),
    );
    height.mockRestore();
  });

  it('finds text, counts the matches, steps through them and reports an invalid expression', async () => {
    const user = userEvent.setup();
    const log = new OutputLog();
    await append(log, 'error one\nfine\nERROR two\n');
    show(log);
    const box = screen.getByRole('textbox', { name: 'Search in output' });
    await user.type(box, 'error');
    expect(screen.getByText('1 of 2')).toBeInTheDocument();
    await user.keyboard('{Enter}');
    expect(screen.getByText('2 of 2')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Match case' }));
    expect(screen.getByText('1 of 1')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Regular expression' }));
    await user.clear(box);
    await user.type(box, '(');
    expect(screen.getByText('Not Regular expression')).toBeInTheDocument();
    await user.keyboard('{Escape}');
    expect(box).toHaveValue('');
  });

  it('marks the lines named in the URL, and copies only those', async () => {
    const user = userEvent.setup();
    const copied = clipboard();
    const log = new OutputLog();
    await append(log, 'a\nb\nc\nd\n');
    show(log, {}, '/app/run/1#L2-L3');
    expect(region().querySelectorAll('[data-selected]')).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Copy selected lines' }));
    expect(copied).toEqual(['b\nc\n']);
  });

  it('copies everything if no lines are selected', async () => {
    const user = userEvent.setup();
    const copied = clipboard();
    const log = new OutputLog();
    await append(log, '\x1b[32mok\x1b[0m\n');
    show(log);
    await user.click(screen.getByRole('button', { name: 'Copy output' }));
    expect(copied).toEqual(['ok\n']);
  });

  it('does not scroll a reader who scrolled up, counts the new lines, and jumps to the end on request', async () => {
    const user = userEvent.setup();
    const log = new OutputLog();
    await append(log, 'line\n'.repeat(100));
    show(log, { live: true });
    const view = region();
    Object.defineProperty(view, 'scrollHeight', { configurable: true, get: () => log.lines.length * 20 });
    await append(log, 'line\n');
    expect(view.scrollTop).toBe(101 * 20);

    view.scrollTop = 1616;
    act(() => void view.dispatchEvent(new Event('scroll')));
    act(() => {
      view.scrollTop = 200;
      view.dispatchEvent(new Event('scroll'));
    });
    await append(log, 'line\nline\n');
    expect(view.scrollTop).toBe(200);
    await user.click(screen.getByRole('button', { name: '2 new lines' }));
    expect(view.scrollTop).toBe(103 * 20);
    expect(screen.queryByRole('button', { name: /new lines/ })).toBeNull();
  });
});
