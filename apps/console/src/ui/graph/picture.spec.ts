// covers: PROD-04
import { drawingOf } from './layout';
import { toSvg } from './picture';

const colours = {
  background: '#fff',
  box: '#eee',
  line: '#999',
  text: '#000',
  dimmed: '#555',
  added: '#0a0',
  removed: '#a00',
  changed: '#aa0',
};

test('draws every box, field and arrow, and escapes names', () => {
  const svg = toSvg(
    drawingOf({
      boxes: [
        { id: 'a', name: 'R&D <x>', lines: [{ id: 'f', name: 'note "quoted"' }] },
        { id: 'b', name: 'Customer', lines: [] },
      ],
      arrows: [{ id: 'r', name: 'customer', source: 'a', target: 'b' }],
    }),
    colours,
  );
  const picture = new DOMParser().parseFromString(svg, 'image/svg+xml');
  expect(picture.querySelector('parsererror')).toBeNull();
  const texts = [...picture.querySelectorAll('text')].map(({ textContent }) => textContent);
  expect(texts).toEqual(['R&D <x>', 'note "quoted"', 'Customer']);
  expect(picture.querySelectorAll('path')).toHaveLength(1);
});

test('marks changes with a colour and a sign', () => {
  const svg = toSvg(
    drawingOf({
      boxes: [
        { id: 'a', name: 'Order', change: 'changed', lines: [{ id: 'f', name: 'note', change: 'added' }] },
        { id: 'b', name: 'Client', change: 'removed', lines: [] },
      ],
      arrows: [{ id: 'r', name: 'client', source: 'a', target: 'b', change: 'removed' }],
    }),
    colours,
  );
  const picture = new DOMParser().parseFromString(svg, 'image/svg+xml');
  const texts = [...picture.querySelectorAll('text')].map((one) => [
    one.textContent,
    one.getAttribute('fill'),
  ]);
  expect(texts).toEqual([
    ['~ Order', '#aa0'],
    ['+ note', '#0a0'],
    ['− Client', '#a00'],
  ]);
  expect(picture.querySelector('path')?.getAttribute('stroke')).toBe('#a00');
});
