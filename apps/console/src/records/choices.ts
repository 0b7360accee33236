/** Sources for selects of servers, domains, products, scripts and actors. */
import { callsOf, domains, people, scripts, servers } from '@quarterdeck/contract';
import { product } from '@quarterdeck/events';
import {
  personName,
  type DomainRow,
  type PersonView,
  type ScriptRow,
  type ServerView,
} from '@quarterdeck/projections';
import { choicesOf } from '../ui/choice';
import { actorsThatAreNoPeople } from './actor';

const server = { page: servers.page, detail: servers.detail, sort: 'alias', one: 'server' };

export const serverChoices = choicesOf({ ...server, labelOf: ({ alias }: ServerView) => alias });

/** For selects where the address matters: `web-1 (10.0.0.3)`. */
export const serverWithHostChoices = choicesOf({
  ...server,
  labelOf: ({ alias, host }: ServerView) => `${alias} (${host})`,
});

export const domainChoices = choicesOf({
  page: domains.page,
  detail: domains.detail,
  sort: 'domain',
  labelOf: ({ serverName }: Pick<DomainRow, 'id' | 'serverName'>) => serverName,
  one: 'domain',
});

export const productChoices = choicesOf({
  page: callsOf(product).page,
  detail: callsOf(product).detail,
  sort: 'name',
  labelOf: ({ name }: { id: string; name: string }) => name,
  one: 'product',
});

export const scriptChoices = choicesOf({
  page: scripts.page,
  detail: scripts.detail,
  sort: 'name',
  labelOf: ({ name }: Pick<ScriptRow, 'id' | 'name'>) => name,
  one: 'script',
});

const person = {
  page: people.page,
  detail: people.detail,
  sort: 'name',
  labelOf: (one: Pick<PersonView, 'id' | 'name' | 'email'>) => personName(one),
  one: 'person',
};

/** Of the workspace now. */
export const memberChoices = choicesOf({ ...person, within: { former: false } });

/** Current and former people, Quarterdeck itself, and the command line. */
export const actorChoices = choicesOf({ ...person, besides: actorsThatAreNoPeople });
