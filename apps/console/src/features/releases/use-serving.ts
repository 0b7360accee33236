/** The newest deploy of a service that serves; undefined if none does. */
import { releases } from '@quarterdeck/contract';
import { useMemo } from 'react';
import { useAnswer } from '../../core/calls';

export const useServing = (service: string) => {
  const { data: running } = useAnswer(releases.running, {});
  return useMemo(
    () =>
      running
        ?.filter((one) => one.service.id === service)
        .toSorted((one, other) => other.date.localeCompare(one.date))[0],
    [running, service],
  );
};
