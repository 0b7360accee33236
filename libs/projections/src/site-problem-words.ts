/** Problems that prevent writing a site for nginx, keyed by `serverName` or `locations.2.url`. Pure. */
import type { LocationView } from './domain-view';

type Problems = Readonly<Record<string, string>>;

const OF_NAME = /^names\.(\d+)\.name$/;
const OF_LOCATION = /^locations\.(\d+)\.(.+)$/;

/** Problems of the location at this index by field, and the others unchanged. */
export const problemsOfLocation = (
  problems: Problems,
  place: number,
): { own: Record<string, string>; others: Record<string, string> } => {
  const own: Record<string, string> = {};
  const others: Record<string, string> = {};
  for (const [path, message] of Object.entries(problems)) {
    const [, index, field = ''] = OF_LOCATION.exec(path) ?? [];
    if (Number(index) === place) own[field] = message;
    else others[path] = message;
  }
  return { own, others };
};

/** One sentence each, naming a location by its path rather than by its index. */
export const problemsInWords = (
  problems: Problems,
  locations: readonly Pick<LocationView, 'location'>[],
  names: readonly { name: string }[] = [],
): string[] =>
  Object.entries(problems).map(([path, message]) => {
    const [, place] = OF_NAME.exec(path) ?? [];
    const named = names[Number(place)]?.name;
    if (named !== undefined) return `Name ${named}: ${message}`;
    const [, index, field] = OF_LOCATION.exec(path) ?? [];
    const location = locations[Number(index)]?.location;
    return location === undefined ? `${path}: ${message}` : `Location ${location}, ${field}: ${message}`;
  });
