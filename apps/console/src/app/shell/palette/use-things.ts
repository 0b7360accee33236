/** The palette's entries for servers, domains, scripts and plain nouns, with the actions on them. */
import {
  domains as domainCalls,
  history as historyCalls,
  people as peopleCalls,
  scripts as scriptCalls,
  servers as serverCalls,
} from '@quarterdeck/contract';
import {
  unicodeName,
  type DomainRow,
  type PersonView,
  type ScriptRow,
  type ServerView,
} from '@quarterdeck/projections';
import {
  IconBox,
  IconFileCode,
  IconPlayerPlay,
  IconPlus,
  IconServer,
  IconTool,
  IconUser,
  IconWorld,
} from '@tabler/icons-react';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import { below, paths, plainPath } from '../../../core/paths';
import { useAnswer } from '../../../core/calls';
import { useAsOf } from '../../../core/as-of/as-of-state';
import { useSession } from '../../../core/session';
import { useSomeRows } from '../../../ui/table/use-some-rows';
import type { Entry } from './entries';
import {
  capital,
  inWords,
  nouns as allNouns,
  plainNouns,
  type AnyNoun,
  type PlainNoun,
} from '@quarterdeck/events';
import { MAX_PAGE_SIZE } from '@quarterdeck/events/inputs';
import { placeWords, subjectPath } from '../../../records/history/event-words';
import { anyCalls } from '../../../records/kit/any-calls';

const SET_UPS = [
  { what: 'initializeServer', label: (alias: string) => `Initialize ${alias}` },
  { what: 'installDocker', label: (alias: string) => `Install Docker on ${alias}` },
];

const ofServer = ({ id, alias, username, host }: ServerView, inPast: boolean): Entry[] => [
  {
    id,
    label: alias,
    kind: 'Server',
    icon: IconServer,
    to: paths.server(id),
    description: `${username}@${host}`,
  },
  {
    id: `${id} commands`,
    label: `Commands of ${alias}`,
    kind: 'Action',
    icon: IconTool,
    to: paths.server(id, 'commands'),
    words: 'memory docker nginx logs',
  },
  ...(inPast
    ? []
    : [
        ...SET_UPS.map(({ what, label }) => ({
          id: `${id} ${what}`,
          label: label(alias),
          kind: 'Action',
          icon: IconTool,
          to: paths.server(id),
          state: { setUp: what },
          words: 'set up',
        })),
        {
          id: `${id} edit`,
          label: `Edit ${alias}`,
          kind: 'Action',
          icon: IconTool,
          to: paths.serverEdit(id),
          words: 'rename change',
        },
      ]),
];

const ofDomain = ({ id, serverName, server, names }: DomainRow): Entry[] => [
  {
    id,
    label: serverName,
    kind: 'Domain',
    icon: IconWorld,
    to: paths.domain(id),
    ...(server.alias && { description: `on ${server.alias}` }),
    ...(names && { words: names.flatMap(({ name }) => [name, unicodeName(name)]).join(' ') }),
  },
  {
    id: `${id} config`,
    label: `Configuration of ${serverName}`,
    kind: 'Action',
    icon: IconTool,
    to: paths.domain(id, 'config'),
    words: 'nginx apply',
  },
  {
    id: `${id} certificate`,
    label: `Certificate of ${serverName}`,
    kind: 'Action',
    icon: IconTool,
    to: paths.domain(id, 'certificate'),
    words: 'ssl tls renew issue',
  },
];

const ofScript = ({ id, name }: ScriptRow): Entry[] => [
  { id, label: name, kind: 'Script', icon: IconFileCode, to: paths.script(id) },
  {
    id: `${id} run`,
    label: `Run ${name}`,
    kind: 'Action',
    icon: IconPlayerPlay,
    to: paths.fleet({ script: id }),
    words: 'script servers',
  },
];

const ofPerson = ({ id, name, email }: PersonView): Entry => ({
  id,
  label: name ?? email ?? 'Without a name',
  kind: 'Member',
  icon: IconUser,
  to: paths.member(id),
  ...(name !== undefined && email !== undefined && { description: email }),
});

const MEMBERS = { size: MAX_PAGE_SIZE, former: false };

/** Fetches only while the palette is open. @param query the text typed into the palette */
export const useThings = (query: string): { things: Entry[]; loading: boolean } => {
  const skip = !useSession().can('admin');
  const inPast = useAsOf() !== undefined;
  const servers = useSomeRows(serverCalls.page, query, { skip });
  const domains = useSomeRows(domainCalls.page, query, { skip });
  const scripts = useSomeRows(scriptCalls.page, query, { skip });
  const people = useSomeRows(peopleCalls.page, query, { first: MEMBERS, skip });
  const plain = usePlainThings(query);
  const named = useNamedRecords(query, skip || inPast);
  const things = useMemo(
    () => [
      ...servers.rows.flatMap((server) => ofServer(server, inPast)),
      ...domains.rows.flatMap(ofDomain),
      ...scripts.rows.flatMap(ofScript),
      ...people.rows.map(ofPerson),
      ...plain.things,
      ...named.things,
    ],
    [servers.rows, domains.rows, scripts.rows, people.rows, plain.things, named.things, inPast],
  );
  const parts = [servers, domains, scripts, people, plain, named];
  return { things, loading: parts.some(({ loading }) => loading) };
};

/* The palette's entries for plain nouns: their rows by name, and an action to add one. */

/** Only nouns without a parent. The others are found on their parent's page. */
const nouns = plainNouns.filter((noun: PlainNoun) => noun.within === undefined) as readonly PlainNoun[];

const addingOf = (noun: PlainNoun): Entry => ({
  id: `add-${noun.category}`,
  label: `Add ${inWords(noun.category)}`,
  to: `${plainPath(noun)}/add`,
  kind: 'Action',
  icon: IconPlus,
  words: 'new',
});

const modelOf = (product: { id: string; name?: unknown }): Entry => ({
  id: `${product.id} model`,
  label: `Data model of ${String(product.name)}`,
  kind: 'Action',
  icon: IconTool,
  to: plainPath({ path: 'product' }, product.id, below.entity),
  words: 'entities attributes tables',
});

const usePlainThings = (query: string): { things: Entry[]; loading: boolean } => {
  const isAdmin = useSession().can('admin');
  const named = nouns.map((noun) => ({
    noun,
    ...useSomeRows(anyCalls(noun).page, query, { skip: noun.audience !== 'member' && !isAdmin }),
  }));
  const things = useMemo(
    () =>
      named.flatMap(({ noun, rows }): Entry[] => [
        ...(isAdmin || noun.changedBy === 'member' ? [addingOf(noun)] : []),
        ...rows.map((view) => ({
          id: view.id,
          label: String(view[noun.named]),
          to: plainPath(noun, view.id),
          kind: capital(inWords(noun.category)),
          icon: IconBox,
        })),
        ...(noun.category === 'product' ? rows.map(modelOf) : []),
      ]),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `named` is new at each render, but its rows are stable
    [isAdmin, ...named.map(({ rows }) => rows)],
  );
  return { things, loading: named.some(({ loading }) => loading) };
};

/* Records of all other kinds, such as the services of a product: the back end finds them by their names. */

const PAUSE_MS = 150;
/** The back end does not look for shorter words. */
const SEARCHED = /\S{3}/u;

/** These have entries of their own, with actions. */
const offered: ReadonlySet<string> = new Set([
  'server',
  'domain',
  'script',
  'person',
  // With the service that they belong to.
  'variable',
  ...nouns.map(({ category }) => category),
]);

/** The kind in the plural. */
const manyOf = new Map(
  (allNouns as readonly AnyNoun[]).map(({ category, words }) => [category, words?.many]),
);

/** What `variablesOf` offers is found by these words, so the back end is asked for services. */
const OF_SERVICES = /^(?:compar|environ|variab)/i;
const MAX_TEXT = 200;

const askedOf = (text: string): string =>
  (text.split(/\s+/).some((word) => OF_SERVICES.test(word)) ? `service ${text}` : text).slice(0, MAX_TEXT);

const variablesOf = (id: string, name: string, page: string): Entry[] => [
  {
    id: `${id} variables`,
    label: `Environment variables of ${name}`,
    kind: 'Action',
    icon: IconTool,
    to: `${page}/${below.variable}`,
  },
  {
    id: `${id} compare`,
    label: `Compare the environments of ${name}`,
    kind: 'Action',
    icon: IconTool,
    to: `${page}/${below.variable}/compare`,
  },
];

const useNamedRecords = (query: string, skip: boolean): { things: Entry[]; loading: boolean } => {
  const typed = query.trim();
  const [text] = useDebouncedValue(typed, PAUSE_MS);
  const isSearched = !skip && SEARCHED.test(text);
  const { data, isFetching } = useAnswer(historyCalls.find, { text: askedOf(text) }, { skip: !isSearched });
  const things = useMemo(
    () =>
      (isSearched ? (data ?? []) : []).flatMap((subject): Entry[] => {
        const { category, id, name } = subject;
        const to = offered.has(category) ? undefined : subjectPath({ subject });
        if (to === undefined || name === undefined) return [];
        const place = placeWords({ subject });
        return [
          {
            id: `${category} ${id}`,
            label: name,
            kind: capital(inWords(category)),
            icon: IconBox,
            to,
            ...(place !== '' && { description: place }),
            words: manyOf.get(category) ?? '',
          },
          ...(category === 'service' ? variablesOf(id, name, to) : []),
        ];
      }),
    [data, isSearched],
  );
  return { things, loading: !skip && SEARCHED.test(typed) && (text !== typed || isFetching) };
};
