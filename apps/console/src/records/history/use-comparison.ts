import { comparePositions } from '@quarterdeck/events';
import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { withParams } from '../../ui/params';

/** Two positions in the history; without `to`, up to now. */
export interface Comparison {
  from: string;
  to?: string;
}

export const comparisonIn = (written: string | null): Comparison | undefined => {
  const [, from, to] = /^(\d{1,19})\.\.(\d{1,19})?$/.exec(written ?? '') ?? [];
  return from === undefined ? undefined : { from, ...(to !== undefined && { to }) };
};

/** Drops `to`, which means now, unless it is later than `from`. */
export const comparisonOf = ({ from, to }: Comparison): string =>
  `${from}..${to !== undefined && comparePositions(from, to) < 0 ? to : ''}`;

/** The comparison in the URL: `?compare=12..34`, or `?compare=12..` up to now. It replaces an open event. */
export const useComparison = (): [Comparison | undefined, (next: Comparison | undefined) => void] => {
  const [params, setParams] = useSearchParams();
  const setComparison = useCallback(
    (next: Comparison | undefined) =>
      setParams((latest) => withParams(latest, { event: undefined, compare: next && comparisonOf(next) }), {
        preventScrollReset: true,
        replace: params.has('compare'),
      }),
    [setParams, params],
  );
  return [comparisonIn(params.get('compare')), setComparison];
};
