/** Sends sampled requests to an endpoint as it is and as it is changed, and says in what the answers differ. */
import type { ReplayedRequest } from '@quarterdeck/contract';
import type { Guests } from '../../platform/guests';
import type { Replayed, ReplayAsked } from '../messages';
import type { Sample } from '../samples';
import { queryOf } from './bodies';
import type { Connections } from './connections';
import { definitionOf, type Definition } from './definition';
import { differencesOf, saysSomething } from './differences';
import { ApiRefusal, busy } from './refusal';
import { nowInUtc, runSides, type Side, type SideOutcome } from './run';
import { checkPermission } from './users';

interface Tools {
  readonly connections: Connections;
  readonly guests: Guests;
  readonly onFault: (error: unknown, endpoint: string) => void;
}

/** All requests together. */
const REPLAY_MS = 5000;
const MAX_COMPARED = 256 * 1024;
const MAX_SHOWN = 300;

export const replay = async (
  tools: Tools,
  { description, changed, samples }: ReplayAsked,
): Promise<Replayed> => {
  const until = performance.now() + REPLAY_MS;
  const asides = [description.endpoints, description.endpoints.map(({ id }) => ({ id, endpoint: changed }))];
  const [before, after] = (await Promise.all(
    asides.map((endpoints) =>
      definitionOf({ ...description, endpoints }, tools.connections.dialect, tools.guests, { isAside: true }),
    ),
  )) as [Definition, Definition];
  const [problem] = Object.values(after.problems);
  if (problem !== undefined) return { problem };
  const requests: ReplayedRequest[] = [];
  for (const sample of samples) {
    const found = await within(until, replayed(tools, [before, after], sample, until));
    // What it asked of the database ends by the limit of a statement.
    if (!found || performance.now() >= until) break;
    requests.push(found);
  }
  return { requests, left: samples.length - requests.length };
};

/** @returns undefined: not in time */
const within = async <T>(until: number, work: Promise<T>): Promise<T | undefined> => {
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    late = setTimeout(() => resolve(undefined), Math.max(0, until - performance.now()));
  });
  return Promise.race([work, tooLate]).finally(() => clearTimeout(late));
};

const replayed = async (
  tools: Tools,
  definitions: readonly [Definition, Definition],
  sample: Sample,
  until: number,
): Promise<ReplayedRequest> => {
  const now = nowInUtc();
  const [was, is] = definitions.map((definition) => sideOf(definition, sample, now)) as [
    Side | ApiRefusal,
    Side | ApiRefusal,
  ];
  const sides = [was, is].filter((one): one is Side => !(one instanceof ApiRefusal));
  // A snippet may answer differently each time. Then a difference of values is none of the definitions.
  const isSure = sides.length < 2 || sides.every(({ endpoint }) => endpoint.snippets.size === 0);
  const again = isSure ? [] : sides.slice(0, 1);
  const asked = sides.length === 0 ? Promise.resolve([]) : runSides(tools, [...sides, ...again], until);
  const outcomes = await asked.catch((error: unknown) => {
    if (!(error instanceof ApiRefusal)) tools.onFault(error, sample.endpoint);
    return [...sides, ...again].map((): SideOutcome => ({ error, ms: 0, hasTriedToWrite: false }));
  });
  const next = (side: Side | ApiRefusal): Answered =>
    side instanceof ApiRefusal
      ? { status: side.status, ms: 0 }
      : answered(side.endpoint.statusOut, outcomes.shift() as SideOutcome, (error) =>
          tools.onFault(error, sample.endpoint),
        );
  const [before, after] = [next(was), next(is)];
  return {
    request: shownOf(sample),
    as: sample.user?.permission ?? 'nobody',
    before: { status: before.status, ms: before.ms },
    after: { status: after.status, ms: after.ms },
    ...compared(before, after, isSure ? undefined : next(was)),
  };
};

const sideOf = (definition: Definition, { path, search, user }: Sample, now: string): Side | ApiRefusal => {
  try {
    const found = definition.find('GET', path);
    if (!found) return new ApiRefusal(404, 'endpoint not found');
    const { endpoint, params } = found;
    const { compiled, permissions, problem } = endpoint;
    checkPermission(user, permissions);
    if (!compiled) return busy(`this endpoint cannot be served: ${problem}`, 60);
    const asked = { params, query: queryOf(search), body: undefined, user, now };
    return { definition, endpoint: { ...endpoint, compiled }, asked };
  } catch (error) {
    if (error instanceof ApiRefusal) return error;
    throw error;
  }
};

interface Answered {
  readonly status: number;
  readonly ms: number;
  /** JSON. Undefined: it was refused. */
  readonly text?: string;
  readonly hasTriedToWrite?: boolean;
}

const answered = (statusOut: number, outcome: SideOutcome, onFault: (error: unknown) => void): Answered => {
  const { ms, hasTriedToWrite } = outcome;
  if ('text' in outcome) return { status: statusOut, ms, hasTriedToWrite, text: outcome.text };
  const { error } = outcome;
  if (error instanceof ApiRefusal) return { status: error.status, ms, hasTriedToWrite };
  onFault(error);
  return { status: 503, ms, hasTriedToWrite };
};

type Compared = Pick<ReplayedRequest, 'shape' | 'value' | 'unproven'>;

const unproven = (why: string, more: Partial<Compared> = {}): Compared => ({
  shape: [],
  ...more,
  unproven: why,
});

/** Pure. @param again the answer of the present definition to the same request, if it may not be the same */
export const compared = (before: Answered, after: Answered, again?: Answered): Compared => {
  if (before.hasTriedToWrite || after.hasTriedToWrite)
    return unproven('a snippet calls a block that writes, which is refused in a replay');
  if (before.status >= 500) return unproven('the present definition could not answer it');
  if (before.text === undefined || after.text === undefined)
    return before.status === after.status ? unproven('both definitions refuse it') : { shape: [] };
  const isTooLong = [before.text, after.text].some((text) => Buffer.byteLength(text) > MAX_COMPARED);
  if (isTooLong)
    return before.text === after.text && before.status === after.status
      ? { shape: [] }
      : unproven(`an answer is larger than ${MAX_COMPARED / 1024} kB: only its status was compared`);
  const { shape, value } = differencesOf(before.text, after.text);
  const isSteady = again === undefined || again.text === before.text;
  if (shape.length > 0 || before.status !== after.status)
    return { shape, ...(value && isSteady && { value }) };
  if (value)
    return isSteady
      ? { shape: [], value }
      : unproven('the present definition answers it differently each time');
  return saysSomething(before.text) ? { shape: [] } : unproven('both answers are empty');
};

/** Without the values of the query. */
const shownOf = ({ path, search }: Sample): string => {
  const names = [...new Set(new URLSearchParams(search).keys())].map((name) => `${name}=…`);
  return `GET ${path}${names.length === 0 ? '' : `?${names.join('&')}`}`.slice(0, MAX_SHOWN);
};
