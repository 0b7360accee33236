import { environments } from './databases.noun';
import { defineNoun } from './define-noun';
import type { deployEvents } from './deploys.events';

const what = (service: { name: string }, { version }: { version: string }): string =>
  `${service.name} ${version}`;

type Lost = readonly { key: string; instead: 'today' | 'nothing' }[];

/** What a rollback has instead of values that were destroyed: ` without A, with today's value of B`. */
const lostInWords = (lost: Lost = []): string => {
  const keys = (of: 'today' | 'nothing') =>
    lost
      .filter(({ instead }) => instead === of)
      .map(({ key }) => key)
      .join(', ');
  const [today, nothing] = [keys('today'), keys('nothing')];
  const said = [
    ...(nothing === '' ? [] : [`without ${nothing}`]),
    ...(today === '' ? [] : [`with today's value of ${today}`]),
  ];
  return said.length === 0 ? '' : ` ${said.join(', ')}`;
};

export const deploy = defineNoun<typeof deployEvents>()({
  category: 'release',
  words: { many: 'Releases', one: 'One release' },
  rows: 'releases',
  within: 'service',
  audience: 'admin',
  named: { ReleaseRequested: (d) => what(d.service, d.package) },
  events: {
    ReleaseRequested: (d) =>
      `requested ${d.rollbackTo === undefined ? 'a deploy of' : 'a rollback to'} ${what(d.service, d.package)} in ${environments[d.env - 1] ?? d.env} on ${d.server.name}${lostInWords(d.lost)}${d.pushed === undefined ? '' : ` by the rule ${d.pushed.rule.name}, pushed by ${d.pushed.by}`}${d.why === undefined ? '' : `: ${d.why}`}`,
    ReleaseServed: (d) => `deployed ${d.version}`,
    ReleaseFailed: (d) => `could not deploy ${d.version}: ${d.reason}`,
    ReleaseStopped: (d) => `stopped ${d.version}`,
    ReleaseValueDestroyed: (d) => `destroyed the value of ${d.key} that the deploy of ${d.version} kept`,
    ReleaseRemoved: (d) => `removed the record of the deploy of ${d.version}`,
  },
  removedBy: 'ReleaseRemoved',
});
