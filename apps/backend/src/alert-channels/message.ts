/** What a message says, for every kind of channel. Pure. */
import {
  isUncertain,
  severities,
  severityOf,
  type AlertMessageView,
  type AlertView,
  type Severity,
} from '@quarterdeck/projections';

export interface Message {
  id: string;
  is: AlertMessageView['is'];
  at: string;
  workspace: { id: string; name: string };
  severity: Severity;
  title: string;
  /** One for each alert, and further remarks. */
  lines: readonly string[];
  /** Page of the console; absent if its address is not known. */
  link?: string;
  alerts: readonly AlertView[];
}

interface Sender {
  workspace: { id: string; name: string };
  publicUrl?: string | undefined;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const MAYBE_TWICE =
  'This message may come twice: the console was stopped while it was sent, and does not know whether it arrived.';

const gravest = (alerts: readonly AlertView[]): Severity => {
  const found = new Set(alerts.map(severityOf));
  return severities.find((one) => found.has(one)) ?? 'notice';
};

const isOpen = ({ state }: AlertView): boolean => state === 'open';
const endOf = ({ says, state, reason }: AlertView): string =>
  state === 'dismissed' ? `${says} Dismissed.` : `${says} Now over: ${reason ?? 'resolved'}.`;

const titleOf = (is: Message['is'], severity: Severity, alerts: readonly AlertView[]): string => {
  if (is === 'test') return 'Test';
  const what = is === 'over' ? 'Over' : capital(severity);
  const names = [...new Set(alerts.map(({ subject }) => subject.name))];
  const about =
    names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
  return `${what}: ${alerts.length === 1 ? '' : `${alerts.length} alerts about `}${about}`;
};

/** @param alerts those of the message that are known */
export const messageOf = (
  view: Pick<AlertMessageView, 'id' | 'is' | 'attempts' | 'queuedAt'>,
  alerts: readonly AlertView[],
  { workspace, publicUrl }: Sender,
): Message => {
  const { id, is } = view;
  // What is over by now is no news.
  const told = is === 'raised' ? alerts.filter(isOpen) : alerts;
  const severity = gravest(told);
  const [first] = told;
  const page = publicUrl === undefined ? undefined : `${publicUrl}/app/domain/alerts`;
  const link = page && told.length === 1 && first ? `${page}?alert=${first.id}` : page;
  const says =
    is === 'test'
      ? ['This is a test of the console: alerts arrive here.']
      : told.map((alert) => (is === 'over' ? endOf(alert) : alert.says));
  return {
    id,
    is,
    at: view.queuedAt,
    workspace,
    severity,
    title: `[${workspace.name}] ${titleOf(is, severity, told)}`,
    lines: isUncertain(view) ? [...says, MAYBE_TWICE] : says,
    ...(link !== undefined && { link }),
    alerts: told,
  };
};

const encoder = new TextEncoder();
export const bytesOf = (text: string): number => encoder.encode(text).length;

/** @param sizeOf a text, in the unit of `max` */
export const cut = (text: string, max: number, sizeOf: (text: string) => number = lengthOf): string => {
  if (sizeOf(text) <= max) return text;
  let characters = [...text].slice(0, max);
  while (sizeOf(`${characters.join('')}…`) > max)
    characters = characters.slice(0, Math.floor(characters.length * 0.9));
  return `${characters.join('')}…`;
};
const lengthOf = (text: string): number => text.length;

/** As many lines as fit; the rest is counted. */
export const fitted = (
  lines: readonly string[],
  max: number,
  sizeOf: (text: string) => number = lengthOf,
): string => {
  const all = lines.join('\n');
  if (sizeOf(all) <= max) return all;
  const more = (count: number): string => `… and ${count} more`;
  for (let count = lines.length - 1; count > 0; count -= 1) {
    const some = [...lines.slice(0, count), more(lines.length - count)].join('\n');
    if (sizeOf(some) <= max) return some;
  }
  return cut(lines[0] ?? '', max, sizeOf);
};
