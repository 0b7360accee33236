// covers: CMS-01
import { act, renderHook, screen } from '@testing-library/react';
import { micromark } from 'micromark';
import { renderPage } from '../../../testing/render';
import { withTestWorkers } from '../../../testing/workers';
import { nodesOf } from './markdown-nodes';
import { useMarkdown } from './use-markdown';

const made = (html: string): HTMLElement => {
  renderPage(<div data-testid="made">{nodesOf(html)}</div>);
  return screen.getByTestId('made');
};
const shown = (markdown: string) => made(micromark(markdown));

describe('the elements', () => {
  test('are those of Markdown, and headings are not those of the page', () => {
    const view = shown('# News\n\n1. *one*\n2. **two** `three`\n\n> said\n\n---\n\n```\ncode\n```');
    expect(view.querySelectorAll('ol > li, em, strong, blockquote, hr, pre > code')).toHaveLength(7);
    expect(screen.queryByRole('heading')).toBeNull();
    expect(view).toHaveTextContent('Heading 1: News');
  });

  test('do nothing and load nothing, whatever is in the text', () => {
    const hostile = [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '[a](javascript:alert(1))',
      '[b](data:text/html,<script>alert(1)</script>)',
      '![c](https://elsewhere.example/pixel.png)',
      '<iframe src="https://elsewhere.example"></iframe>',
      '<https://fine.example> <javascript:alert(1)>',
    ].join('\n\n');
    const view = shown(hostile);
    const links = Array.from(view.querySelectorAll('a'), ({ href }) => href);
    expect(links).toEqual(['https://fine.example/']);
    expect(view.querySelectorAll('script, img, iframe, [onerror], [src]')).toHaveLength(0);
    expect(view).toHaveTextContent('Picture: c');
  });

  test('are safe also if the HTML is not that of micromark', () => {
    const view = made('<p onclick="x()">a<svg><script>b</script></svg><style>c</style></p>');
    expect(view.innerHTML).toBe('<p>abc</p>');
  });

  test('keep links within the product from leading into the console', () => {
    const view = shown('[terms](/terms)');
    expect(view.querySelector('a')).toBeNull();
    expect(screen.getByTitle('/terms')).toHaveTextContent('terms');
  });
});

describe('the rendering', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  const pass = (ms: number) => act(() => jest.advanceTimersByTime(ms));

  test('starts once typing pauses, and only for the latest text', () => {
    const workers = withTestWorkers();
    const { result, rerender } = renderHook(({ text }) => useMarkdown(text), { initialProps: { text: 'a' } });
    pass(100);
    rerender({ text: 'ab' });
    pass(200);
    expect(workers.map(({ asked }) => asked)).toEqual(['ab']);
    act(() => workers[0]?.answer('<p>ab</p>'));
    expect(result.current).toEqual({ html: '<p>ab</p>' });
    expect(workers[0]?.ended).toBe(true);
  });

  test('is given up if it takes too long, and starts again for another text', () => {
    const workers = withTestWorkers();
    const { result, rerender } = renderHook(({ text }) => useMarkdown(text), { initialProps: { text: 'a' } });
    pass(10_000);
    expect(result.current).toEqual({ failed: 'slow' });
    expect(workers[0]?.ended).toBe(true);
    rerender({ text: 'b' });
    pass(200);
    act(() => workers[1]?.answer('<p>b</p>'));
    expect(result.current).toEqual({ html: '<p>b</p>' });
  });
});
