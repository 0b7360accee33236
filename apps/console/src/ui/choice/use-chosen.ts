/** The label of the chosen row, even if it is not among the first rows of its list. */
import { useAnswer } from '../../core/calls';
import { toApiError } from '../../core/http';
import type { Choices } from './choices';

interface Chosen {
  /** Empty while nothing is chosen. */
  label: string;
  /** The list has more rows than the first page. */
  isLong: boolean;
  /** The list is empty. */
  isEmpty: boolean;
  /** Why the list could not be fetched. */
  error: string | undefined;
}

export const useChosen = (from: Choices, chosen: string): Chosen => {
  const { data, error, isLoading } = useAnswer(from.page, from.first as never);
  const near = data?.rows.find(({ id }) => id === chosen);
  const beside = from.besides?.find(({ id }) => id === chosen);
  const skip = chosen === '' || near !== undefined || beside !== undefined || isLoading;
  const alone = useAnswer(from.detail, { [from.by ?? 'id']: chosen } as { id: string }, { skip });
  const failure = skip || alone.error === undefined ? undefined : toApiError(alone.error);
  const isGone = failure?.status === 404;
  // After a deletion, the row fetched earlier is still in the cache.
  const row = near ?? (skip || isGone ? undefined : alone.currentData);
  const otherwise = isGone
    ? `A deleted ${from.one}`
    : failure
      ? `The ${from.one} could not be loaded`
      : 'Loading …';
  return {
    label: beside?.label ?? (row ? from.labelOf(row) : chosen === '' ? '' : otherwise),
    isLong: data !== undefined && data.total > data.rows.length,
    isEmpty: data?.total === 0,
    error: error === undefined || data ? undefined : toApiError(error).msg,
  };
};
