/** The newest deploy of a service that serves; undefined if none does. */
import { deploys } from '@quarterdeck/contract';
import { useMemo } from 'react';
import { useAnswer } from '../../core/calls';
import type { Release } from '../../records/verdicts';

export const useServing = (service: string) => {
  const { data: running } = useAnswer(deploys.running, {});
  return useMemo(
    () =>
      running
        ?.filter((one) => one.service.id === service)
        .toSorted((one, other) => other.date.localeCompare(one.date))[0],
    [running, service],
  );
};

/** Whether a rollback to the release is possible: it has served before, and another one does now. */
export const canReturnTo = ({ state, serves }: Release, serving: Release | undefined): boolean =>
  state === 'served' && !serves && serving !== undefined;
