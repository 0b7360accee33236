/** Rows to choose from: all rows of a short list; of a long one, the first rows and those that contain a typed word. */
import type { Read } from '@quarterdeck/contract';
import { MAX_PAGE_SIZE, type ListPageAsked } from '@quarterdeck/events/inputs';
import type { ListPage } from '@quarterdeck/projections';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useMemo, useState } from 'react';
import { ask, useAnswer } from '../../core/calls';
import { useAppDispatch } from '../../core/hooks';

const PAUSE_MS = 150;
const MAX_WORDS = 4;
const FOUND_SIZE = 50;
const FIRST: ListPageAsked = { size: MAX_PAGE_SIZE };
const none: readonly never[] = [];

/** Searches for words instead of the whole text, since in "run backup on web-1" each word names something else. */
const wordsIn = (typed: string): string[] => typed.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);

interface SomeRowsOptions {
  /** Input for the first rows: an order, or the parent of the list. Keep the object stable between renders. */
  first?: ListPageAsked;
  skip?: boolean;
}

/** @param typed the search text; `loading` is true until its result has arrived */
export const useSomeRows = <Row extends { id: string }>(
  call: Read<ListPageAsked, unknown, ListPage<Row>>,
  typed: string,
  { first: question = FIRST, skip = false }: SomeRowsOptions = {},
): { rows: readonly Row[]; loading: boolean } => {
  const dispatch = useAppDispatch();
  const { data, isLoading } = useAnswer(call, question as never, { skip });
  const isLong = data !== undefined && data.total > data.rows.length;
  const [paused] = useDebouncedValue(typed, PAUSE_MS);
  const [found, setFound] = useState<{ typed: string; rows: readonly Row[] }>({ typed: '', rows: none });
  useEffect(() => {
    if (!isLong) return undefined;
    const questions = wordsIn(paused).map((search) =>
      dispatch(ask(call, { ...question, search, size: FOUND_SIZE } as never)),
    );
    let wanted = true;
    void Promise.all(questions).then((answers) => {
      const rows = answers.flatMap((answer): readonly Row[] => answer.data?.rows ?? none);
      if (wanted) setFound({ typed: paused, rows });
    });
    return () => {
      wanted = false;
      for (const one of questions) one.unsubscribe();
    };
  }, [call, dispatch, isLong, paused, question]);
  const first = data?.rows ?? (none as readonly Row[]);
  const rows = useMemo(
    () => [...new Map([...first, ...found.rows].map((row) => [row.id, row])).values()],
    [first, found.rows],
  );
  return { rows, loading: isLoading || (isLong && found.typed !== typed) };
};
