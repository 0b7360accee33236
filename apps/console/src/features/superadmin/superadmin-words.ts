/** Words for the superadmin pages. Pure. */
import type {
  ChainState,
  EventLogFacts,
  HiddenCallers,
  Lag,
  Maintenance,
  MaintenanceProgress,
  ProjectionStatus,
} from '@quarterdeck/projections';
import type { Tone } from '../../ui/tone';

const number = (value: number): string => value.toLocaleString('en');

export const engineInWords = (engine: EventLogFacts['engine']): string =>
  engine === 'postgres' ? 'Postgres' : 'EventStoreDB';

/** What to do when one address makes all calls. */
export const hiddenCallersInWords = ({ address, trusted, reports }: HiddenCallers): string => {
  const so = 'Limits on sign-in and on calls count everybody as one caller.';
  const name = `name it in TRUSTED_PROXIES`;
  if (reports) return `${so} If ${address} is your proxy, ${name}.`;
  const send = `If ${address} is a proxy, let it send the header X-Forwarded-For`;
  return trusted ? `${so} ${send}.` : `${so} ${send}, and ${name}.`;
};

/** Position of the newest event. Formatted as a number only on Postgres, where positions count events. */
export const headInWords = ({ engine, head }: Pick<EventLogFacts, 'engine' | 'head'>): string =>
  engine === 'postgres' ? number(Number(head)) : head;

/** Counts complete minutes only. */
export const paceInWords = (perMinute: readonly number[]): string => {
  const over = perMinute.slice(0, -1);
  const last = over.at(-1) ?? 0;
  const average = over.reduce((sum, one) => sum + one, 0) / Math.max(over.length, 1);
  const words = average > 0 && average < 10 ? average.toFixed(1) : number(Math.round(average));
  return `${number(last)} in the last minute, ${words} on average`;
};

export const chainInWords = ({ state, checked, position, problem }: ChainState): string => {
  if (state === 'broken') return problem ?? 'The chain is broken.';
  if (state === 'followed') return `Up to date with the log at ${position}.`;
  return checked === 0
    ? 'There is nothing to check yet.'
    : `The last ${number(checked)} links were recomputed.`;
};

export const chainLook: Record<ChainState['state'], { tone: Tone; label: string }> = {
  unbroken: { tone: 'good', label: 'unbroken' },
  followed: { tone: 'good', label: 'up to date' },
  broken: { tone: 'bad', label: 'broken' },
};

const eventsInWords = (count: number): string => (count === 1 ? '1 event' : `${number(count)} events`);

export const foreignLook = ({ count, open }: EventLogFacts['foreign']): { tone: Tone; label: string } => {
  if (count === 0) return { tone: 'good', label: 'none' };
  return open === 0
    ? { tone: 'quiet', label: `${eventsInWords(count)}, acknowledged` }
    : { tone: 'bad', label: eventsInWords(open) };
};

export const foreignInWords = ({ count, open }: EventLogFacts['foreign']): string => {
  if (count === 0) return 'Every event since the log began has a valid tag.';
  const known = count - open;
  const more =
    open > 0 && known > 0
      ? ` ${eventsInWords(known)} more ${known === 1 ? 'was' : 'were'} acknowledged.`
      : '';
  return `No valid tag: they have no effect, and are listed below.${more}`;
};

export const readModelsInWords = (readModel: string): string =>
  readModel === 'all' ? 'all read models' : readModel;

export const workInWords = ({ kind, readModel }: Pick<Maintenance, 'kind' | 'readModel'>): string =>
  `${kind === 'rebuild' ? 'Rebuilding' : 'Verifying'} ${readModelsInWords(readModel)}`;

const phases: Record<MaintenanceProgress['phase'], string> = {
  folding: 'folding the log',
  indexing: 'building the indexes',
  catchingUp: 'catching up with what came meanwhile',
  comparing: 'comparing row by row',
};

const leftInWords = (seconds: number): string =>
  seconds < 90 ? `about ${seconds} s left` : `about ${Math.round(seconds / 60)} min left`;

/** `340,000 of 1,000,000 events, 34 %, 61,000 a second, about 11 s left`. */
export const progressInWords = (progress: MaintenanceProgress): string => {
  const { phase, events, total, share, eventsPerSecond, secondsLeft } = progress;
  const done = `${number(events)}${total === undefined ? '' : ` of ${number(Math.max(total, events))}`} events`;
  if (phase !== 'folding') return `${done}, ${phases[phase]}`;
  const left = secondsLeft === undefined ? '' : `, ${leftInWords(secondsLeft)}`;
  return `${done}, ${Math.floor(share * 100)} %, ${number(eventsPerSecond)} a second${left}`;
};

export const lagInWords = ({ events, ms }: Lag): string => {
  if (ms === 0) return 'up to date';
  const age = ms < 1000 ? 'less than a second' : `${Math.round(ms / 1000)} s`;
  return events === undefined ? `${age} behind` : `${number(events)} events, ${age} behind`;
};

/** State of a read model, without its parked streams, which are shown separately. */
export const standOf = ({
  state,
  version,
  storedVersion,
}: ProjectionStatus): { tone: Tone; label: string } => {
  if (storedVersion > version) return { tone: 'warn', label: 'made by a newer version' };
  if (storedVersion === 0) return { tone: 'warn', label: 'not built yet' };
  if (state === 'frozen') return { tone: 'warn', label: 'needs a rebuild' };
  return { tone: 'good', label: 'up to date' };
};
