/** Links to one line or a range of lines of a run's output: `#L12` and `#L12-L20`, counted from 1. */
export interface LineRange {
  from: number;
  to: number;
}

export const parseLineHash = (hash: string): LineRange | undefined => {
  const match = /^#L([1-9]\d{0,8})(?:-L([1-9]\d{0,8}))?$/.exec(hash);
  if (!match) return undefined;
  const [a, b] = [Number(match[1]), Number(match[2] ?? match[1])];
  return { from: Math.min(a, b), to: Math.max(a, b) };
};

export const lineHash = ({ from, to }: LineRange): string => (from === to ? `#L${from}` : `#L${from}-L${to}`);
