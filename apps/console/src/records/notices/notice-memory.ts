/** The notices that the person has seen or dismissed, as stored on the server. */
import { notices as calls, type Answer } from '@quarterdeck/contract';
import { useCallback, useMemo } from 'react';
import { useAnswer, useChange } from '../../core/calls';
import type { Notice } from './notice-store';

type State = Answer<typeof calls.memory>[number]['state'];
export type Marked = Pick<Notice, 'id' | 'mark'>;

export interface NoticeMemory {
  /** What the person did with this state of the notice; `undefined` if they have not seen it. */
  stateOf: (notice: Marked) => State | undefined;
  remember: (notices: readonly Marked[], state: State) => void;
}

/** `undefined` until the server has answered. If the request fails, every notice counts as new. */
export const useNoticeMemory = (skip = false): NoticeMemory | undefined => {
  const { data, error, refetch } = useAnswer(calls.memory, {}, { skip });
  const [send] = useChange(calls.remember);
  const known = data ?? (error === undefined ? undefined : NOTHING);
  const remember = useCallback(
    (notices: readonly Marked[], state: State): void => {
      if (notices.length === 0) return;
      send({ notices: notices.map(({ id, mark }) => ({ id, mark })), state })
        .unwrap()
        .then(refetch)
        // If it cannot be stored, the notice is shown again on the next page load.
        .catch(() => undefined);
    },
    [send, refetch],
  );
  return useMemo(() => {
    if (known === undefined) return undefined;
    const states = new Map(known.map(({ id, mark, state }) => [id, { mark, state }]));
    const stateOf = ({ id, mark }: Marked): State | undefined => {
      const before = states.get(id);
      return before?.mark === mark ? before.state : undefined;
    };
    return { stateOf, remember };
  }, [known, remember]);
};

const NOTHING: Answer<typeof calls.memory> = [];
