// covers: WF-02
import { IconUser } from '@tabler/icons-react';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { renderPage } from '../../testing/render';
import { withTestWorkers } from '../../testing/workers';
import Graph, { type Hands } from './Graph';
import { drawingOf, type Drawn } from './layout';

const drawn: Drawn = {
  boxes: [
    { id: 'ask', name: 'Ask', lines: [{ id: 'kind', name: 'Person' }] },
    { id: 'send', name: 'Send', lines: [] },
  ],
  arrows: [{ id: 'yes', name: 'yes', source: 'ask', target: 'send', label: 'approved' }],
  marked: true,
};
const marks = new Map([['ask', { tone: 'warn', icon: IconUser, word: 'waiting' } as const]]);

const moved = jest.fn();
const Chosen = () => {
  const [selected, select] = useState<string>();
  const [hands] = useState((): Hands => ({ onSelect: select, onMove: moved }));
  return (
    <>
      <Graph
        label="Workflow"
        what="a node"
        fileName="flow"
        drawn={drawn}
        marks={marks}
        hands={hands}
        selected={selected}
      />
      <output>{selected}</output>
    </>
  );
};

const shown = async (): Promise<void> => {
  const workers = withTestWorkers();
  renderPage(<Chosen />);
  await waitFor(() => expect(workers).toHaveLength(1));
  act(() => workers[0]?.answer(drawingOf(drawn)));
};

test('a box says what it is and its state', async () => {
  await shown();
  const box = await screen.findByRole('button', { name: 'Ask' });
  expect(box).toHaveAccessibleDescription('Person waiting');
});

test('the arrow keys choose the next box, and Alt with an arrow key moves a box', async () => {
  await shown();
  (await screen.findByRole('button', { name: 'Ask' })).focus();
  await userEvent.keyboard('{Enter}');
  expect(screen.getByRole('status')).toHaveTextContent('ask');
  await userEvent.keyboard('{ArrowDown}');
  expect(screen.getByRole('status')).toHaveTextContent('send');
  expect(screen.getByRole('button', { name: 'Send', pressed: true })).toHaveFocus();
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}');
  const { x = 0, y = 0 } = drawingOf(drawn).boxes[1] ?? {};
  expect(moved).toHaveBeenCalledWith('send', { x: Math.round(x) + 20, y: Math.round(y) });
});
