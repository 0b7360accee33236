/** Sees to it that the newest figures are there and stay so: asked for at first, and again after the connection was lost. */
import { useEffect, useRef } from 'react';
import { useConnection } from '../../../core/connection';
import { useNewestHealthQuery } from './health.endpoints';

export const useLiveHealth = (): void => {
  const { refetch } = useNewestHealthQuery();
  const { state } = useConnection();
  const before = useRef(state);
  useEffect(() => {
    const back = state === 'live' && before.current !== 'live';
    before.current = state;
    if (back) void refetch();
  }, [state, refetch]);
};
