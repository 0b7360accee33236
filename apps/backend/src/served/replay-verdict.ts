/** What replayed requests prove together. Pure. */
import type { ApiReplay, ReplayedRequest } from '@quarterdeck/contract';

const differs = ({ before, after, shape, value }: ReplayedRequest): boolean =>
  before.status !== after.status || shape.length > 0 || value !== undefined;

const requestsOf = (count: number): string => (count === 1 ? '1 request' : `${count} requests`);
const one = (count: number, singular: string, plural: string): string => (count === 1 ? singular : plural);

/** @param left requests that were not sent, because the time was over */
export const verdictOn = (requests: readonly ReplayedRequest[], left: number): ApiReplay => {
  const proving = requests.filter(({ unproven }) => unproven === undefined);
  const different = proving.filter(differs).length;
  const silent = requests.length - proving.length;
  const all = requestsOf(requests.length + left);
  const [verdict, message] = ((): [ApiReplay['verdict'], string] => {
    if (different > 0)
      return ['differs', `${different} of ${all} ${one(different, 'is', 'are')} answered differently.`];
    if (proving.length === 0) return ['unproven', 'The replay proves nothing.'];
    const same = `${proving.length} of ${all} ${one(proving.length, 'is', 'are')} answered the same.`;
    return [silent + left === 0 ? 'same' : 'partly', same];
  })();
  const notes = [
    silent > 0 && proving.length > 0
      ? [`${requestsOf(silent)} ${one(silent, 'proves', 'prove')} nothing.`]
      : [],
    left > 0
      ? [`${requestsOf(left)} ${one(left, 'was', 'were')} not sent, because the time of 5 s was over.`]
      : [],
  ].flat();
  return { verdict, message: [message, ...notes].join(' '), requests: [...requests] };
};
