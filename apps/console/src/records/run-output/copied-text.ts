/** The text of a copied selection: the lines' own text, without numbers and headings. */
import type { OutputView } from './output-view';

interface Edge {
  index: number;
  /** Characters of the line before this edge; `undefined` if the edge is not within its text. */
  offset?: number;
}

const edge = (node: Node, offset: number): Edge | undefined => {
  const element = node instanceof Element ? node : node.parentElement;
  const row = element?.closest<HTMLElement>('[data-index]');
  if (!row) return undefined;
  const text = row.querySelector('[data-text]');
  if (!text?.contains(node)) return { index: Number(row.dataset.index) };
  const before = document.createRange();
  before.setStart(text, 0);
  before.setEnd(node, offset);
  return { index: Number(row.dataset.index), offset: before.toString().length };
};

/** `undefined` leaves the copy to the browser: the selection is within one line, or extends beyond the output. */
export const copiedText = (view: OutputView, selection: Selection | null): string | undefined => {
  if (!selection || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const start = edge(range.startContainer, range.startOffset);
  const end = edge(range.endContainer, range.endOffset);
  if (!start || !end || start.index === end.index) return undefined;
  const lines: string[] = [];
  for (let index = start.index; index <= end.index; index += 1) lines.push(view.line(index)?.text ?? '');
  lines[0] = lines[0]?.slice(start.offset ?? 0) ?? '';
  lines[lines.length - 1] = lines.at(-1)?.slice(0, end.offset ?? 0) ?? '';
  return lines.join('\n');
};
