/**
 * Deploys that a push to the source host starts: the rules of a service, the versions that they have matched, and the
 * secrets that sign the calls of the source host.
 */
import { environments } from './databases.noun';
import { defineNoun } from './define-noun';
import { choice, enumeration, flag, text } from './kit/field';
import { noun } from './kit/noun';
import { pushStarts, refusedPattern } from './push-rules';
import type { pushEvents, pushTokenEvents } from './pushes.events';

/** Who has to approve what a rule deploys. Members see no deploys. */
export const approvals = ['nobody', 'admin', 'superadmin'] as const;

export const deployRule = noun('deployRule', {
  path: 'deploy-rule',
  within: 'service',
  named: 'name',
  unique: ['name'],
  fields: {
    name: text(100, { placeholder: 'Versions to prod' }),
    isOn: flag({ label: 'On', help: 'A rule that is off deploys nothing.', initial: true }),
    starts: choice(pushStarts, {
      label: 'Started by',
      words: { package: 'a published package', release: 'a published release' },
      omitted: 'package',
      help: 'If the package is built after the release, choose the package: its image is there then.',
      half: true,
    }),
    compares: choice(['tag', 'branch'], { label: 'Compares its', omitted: 'tag', half: true }),
    pattern: text(200, {
      label: 'With',
      refuses: refusedPattern,
      placeholder: 'v*',
      example: 'v*',
      help: '* is any text and ? one character: such as main, v* or release-?',
    }),
    preReleases: flag({
      label: 'Pre-releases too',
      help: 'Such as v1.4.0-rc.1, and releases that are marked as such.',
    }),
    env: enumeration(environments, { label: 'Environment', half: true }),
    approval: choice(approvals, {
      label: 'Approval by',
      words: { nobody: 'nobody: deployed at once', admin: 'an administrator', superadmin: 'a superadmin' },
      omitted: 'admin',
      half: true,
    }),
  },
});

const inEnv = (env: number): string => environments[env - 1] ?? String(env);
const because = (note: string | undefined): string => (note === undefined || note === '' ? '' : `: ${note}`);

export const push = defineNoun<typeof pushEvents>()({
  category: 'push',
  words: { many: 'Pushed versions', one: 'One pushed version' },
  rows: 'pushes',
  within: 'service',
  audience: 'admin',
  named: { PushMatched: (d) => `${d.service.name} ${d.version}` },
  events: {
    PushMatched: (d) =>
      `pushed by ${d.by}: the rule ${d.rule.name} deploys ${d.version} to ${inEnv(d.env)} ${d.approval === undefined ? 'at once' : `after the approval of somebody with the role ${d.approval}`}`,
    PushApproved: (d) => `approved the deploy of ${d.version}${because(d.note)}`,
    PushRefused: (d) => `refused the deploy of ${d.version}${because(d.note)}`,
    PushReplaced: (d) => `${d.version} is not deployed any more: ${d.newer.version} was pushed`,
    PushWithdrawn: (d) => `${d.version} is not deployed any more: ${d.reason}`,
    PushDeployed: (d) => `started the deploy of ${d.version}`,
    PushFailed: (d) => `could not start the deploy of ${d.version}: ${d.reason}`,
  },
});

export const pushToken = defineNoun<typeof pushTokenEvents>()({
  category: 'pushtoken',
  words: { many: 'Webhook secrets of services', one: 'One webhook secret' },
  rows: 'pushTokens',
  within: 'service',
  audience: 'admin',
  named: { PushTokenIssued: (d) => `webhook secret of ${d.service.name}` },
  events: {
    PushTokenIssued: (d) => `issued a webhook secret for ${d.service.name}`,
    PushTokenUsed: () => 'signed a call of the source host, for the first time that day',
    PushTokenRevoked: (d) => `revoked the webhook secret ${d.fingerprint}`,
  },
  removedBy: 'PushTokenRevoked',
});
