/** Each noun has files of the same name in four places, its homes, so one file search finds a whole feature. */
import fs from 'node:fs';
import path from 'node:path';
import { plainNouns } from '@quarterdeck/events';

const root = path.resolve(__dirname, '../..');

const homesOf = (noun: string) => ({
  events: `libs/events/src/${noun}.events.ts`,
  projection: `libs/projections/src/${noun}.ts`,
  backend: `apps/backend/src/${noun}/index.ts`,
  console: `apps/console/src/features/${noun}/index.ts`,
});
type Home = keyof ReturnType<typeof homesOf>;

/** Nouns, with a reason for each missing home. */
const nouns: Record<string, Partial<Record<Home, string>>> = {
  servers: {},
  scripts: { events: 'the kit derives them from scripts.noun.ts' },
  runs: {},
  history: { events: 'history is a view of everybody else’s events' },
  people: {},
  domains: {},
  dns: {
    projection: 'a record that was added stands in the history; what DNS answers stands with the domain',
    console: 'records are added where domains are, and the settings stand with them',
  },
  certificates: {
    projection: 'a certificate is part of its domain',
    console: 'they are shown with their domain, and by the monitor of all of them',
  },
  log: {
    events: 'libs/log has them, because its engines record them',
    projection: 'the chain is folded by the runner, since it needs a hash function',
    backend: 'nobody asks for a seal: platform/boot/sealing.ts records one at intervals',
    console: 'seals stand in the history',
  },
  creations: {},
  cloud: {},
  credentials: {},
  'package-pulls': {},
  alerts: {},
  'alert-channels': {},
  superadmin: {},
  texts: {},
  variables: {},
  mails: {},
  backups: {
    console: 'a tab of the superadmin’s page',
  },
  versions: {},
  deploys: {},
  'public-tokens': {},
  pushes: {},
  repositories: {
    projection: 'the source-code host says what a repository has; what was done to it stands in the history',
    console: 'repositories are shown with the service that they belong to',
  },
  workflows: {},
  'workflow-triggers': { console: 'they are on the page of their workflow' },
  workspaces: { console: 'an operator works in one workspace, the one he signed in to' },
};

/** Plain nouns whose folder has another name: that of the noun they share a page with, or a clearer one. */
const livesWith: Record<string, string> = {
  endpoints: 'apiInstances',
  oauthParams: 'apiInstances',
  optionSetValues: 'optionSets',
  attributes: 'entities',
  deployRules: 'pushes',
  packages: 'servicePackages',
  requestCollections: 'requests',
  requestParams: 'requests',
  requestSecrets: 'requests',
  requestVariables: 'requests',
  workflowTriggers: 'workflows',
  workflowNodes: 'workflows',
  workflowTransitions: 'workflows',
};

const folderOf = ({ rows }: { rows: string }): string =>
  (livesWith[rows] ?? rows).replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A plain noun has only these files; everything else comes from its declaration and the kit. */
const homesOfPlain = (noun: { rows: string }) => [
  `libs/events/src/${folderOf(noun)}.noun.ts`,
  `apps/backend/src/${folderOf(noun)}/index.ts`,
  `apps/console/src/features/${folderOf(noun)}/index.ts`,
];

it.each(plainNouns.flatMap((noun) => homesOfPlain(noun).map((file) => ({ rows: noun.rows, file }))))(
  'the plain noun $rows has the file $file',
  ({ file }) => {
    expect(isThere(file)).toBe(true);
  },
);

const cases = Object.entries(nouns).flatMap(([noun, exceptions]) =>
  Object.entries(homesOf(noun)).map(([home, file]) => ({
    noun,
    home,
    file,
    reason: exceptions[home as Home],
  })),
);

it.each(cases.filter(({ reason }) => reason === undefined))('$noun have the file $file', ({ file }) => {
  expect(isThere(file)).toBe(true);
});

it.each(cases.filter(({ reason }) => reason !== undefined))(
  '$noun have no $home home: $reason',
  ({ file }) => {
    expect(isThere(file)).toBe(false);
  },
);

/** An index file of the console may be a .tsx file. */
const isThere = (file: string) => [file, `${file}x`].some((name) => fs.existsSync(path.join(root, name)));

it('lists every noun that has events', () => {
  const withEvents = fs
    .readdirSync(path.join(root, 'libs/events/src'))
    .flatMap((file) => /^(.+)\.events\.ts$/.exec(file)?.[1] ?? []);
  expect(withEvents.filter((noun) => !(noun in nouns))).toEqual([]);
});

it('lists a noun or a reason for every feature folder of the console', () => {
  const folders = fs.readdirSync(path.join(root, 'apps/console/src/features'));
  expect(
    folders.filter((folder) => !(folder in nouns) && !(folder in pagesWithoutNoun) && !isPlain(folder)),
  ).toEqual([]);
});

const isPlain = (folder: string) => plainNouns.some((noun) => folderOf(noun) === folder);

const pagesWithoutNoun: Record<string, string> = {
  fleet: 'a run over many servers is a run, and its parts are runs: it lives on their events',
  logs: 'lines of servers are read from them and stored nowhere, so there are no events',
  metrics: 'figures of services and sites are rows that are deleted after a while, like samples of servers',
  profile: 'one’s own name, accounts and sessions: parts of a person, and rows that are no events',
  'ssl-monitor': 'it checks and renews the certificates of all domains; its work consists of runs',
  home: 'the first page judges and counts what other nouns record',
  settings: 'what the workspace chooses for itself, put together from the sections of several features',
};

it.each(['utils', 'helpers', 'common', 'misc', 'shared'])('no file or folder is called %s', (name) => {
  const bad = filesBelow('libs', 'apps/backend/src', 'apps/console/src', 'e2e', 'scripts').filter((file) =>
    file.split('/').some((part) => part === name || part.startsWith(`${name}.`)),
  );
  expect(bad).toEqual([]);
});

function filesBelow(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => !file.includes('node_modules'))
      .map((file) => `${folder}/${file}`),
  );
}
