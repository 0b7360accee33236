/** Parses the sums that a server made of the access logs of its sites. Pure. A line that is no such line is left out. */
import { MAX_TIME_NUMBER, trafficProblem, type TrafficProblem } from '@quarterdeck/projections';

/** What was read of one file. */
export interface LogPlace {
  inode: string;
  from: string;
  state: 'current' | 'old';
  path: string;
}

export interface SiteSums {
  requests: number;
  /** By the first digit of the status, from 1 to 5. */
  classes: [number, number, number, number, number];
  bytes: number;
  timed: number;
  times: Record<string, number>;
  sampled: boolean;
}

export interface SiteLook {
  problem?: TrafficProblem;
  sums?: SiteSums;
  places: LogPlace[];
}

export interface Looks {
  /** Seconds since the server started. */
  clock?: number;
  /** By the ids of the domains. */
  sites: Map<string, SiteLook>;
}

const MAX_FILES = 100;
const COUNT = /^\d{1,15}$/;

const countOf = (written: string | undefined): number | undefined =>
  written !== undefined && COUNT.test(written) ? Number(written) : undefined;

const timesOf = (written: string, factor: number): Record<string, number> => {
  const times: Record<string, number> = {};
  for (const one of written.split(',')) {
    const [, number, count] = /^(\d{1,3}):(\d{1,15})$/.exec(one) ?? [];
    if (number === undefined || Number(number) > MAX_TIME_NUMBER) continue;
    times[String(Number(number))] = Math.round(Number(count) * factor);
  }
  return times;
};

/** If only a part was read, the figures are multiplied. */
const sumsOf = (values: readonly string[]): SiteSums | undefined => {
  const counts = values.slice(0, 10).map(countOf);
  if (values.length !== 11 || counts.some((count) => count === undefined)) return undefined;
  const [all = 0, taken = 0, ...rest] = counts.map((count) => count ?? 0);
  if (taken > all) return undefined;
  const factor = taken === 0 ? 1 : all / taken;
  const [requests = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, bytes = 0, timed = 0] = rest.map((count) =>
    Math.round(count * factor),
  );
  return {
    requests,
    classes: [s1, s2, s3, s4, s5],
    bytes,
    timed,
    times: timesOf(values[10] ?? '', factor),
    sampled: taken < all,
  };
};

const PLACE = /^(\d{1,20}) (\d{1,15}) (current|old) (\/.{1,1000})$/;

/** @param folders of the logs of each domain that was asked for */
export const parseLooks = (printed: string, folders: ReadonlyMap<string, string>): Looks => {
  const looks: Looks = { sites: new Map() };
  const siteOf = (id: string): SiteLook => {
    const site = looks.sites.get(id) ?? { places: [] };
    looks.sites.set(id, site);
    return site;
  };
  for (const line of printed.split('\n')) {
    const [, what, value = ''] = /^(clock|problem|sums|place)=(.*)$/.exec(line) ?? [];
    if (what === 'clock' && /^\d{1,10}(\.\d{1,6})?$/.test(value)) looks.clock = Number(value);
    if (what === undefined || what === 'clock') continue;
    const [id, rest] = what === 'sums' ? cut(value, '|') : cut(value, ' ');
    const folder = folders.get(id);
    if (folder === undefined) continue;
    const site = siteOf(id);
    if (what === 'problem') {
      const problem = trafficProblem.safeParse(rest);
      if (problem.success) site.problem = problem.data;
    } else if (what === 'sums') {
      const sums = sumsOf(rest.split('|'));
      if (sums) site.sums = sums;
    } else {
      const [, inode = '', from = '', state, path = ''] = PLACE.exec(rest) ?? [];
      const isThere = path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes('/');
      if (isThere && site.places.length < MAX_FILES)
        site.places.push({ inode, from, state: state === 'old' ? 'old' : 'current', path });
    }
  }
  return looks;
};

const cut = (value: string, at: string): [string, string] => {
  const place = value.indexOf(at);
  return place < 0 ? [value, ''] : [value.slice(0, place), value.slice(place + 1)];
};
