/** Makes things by the calls that add them, from the examples of those calls. */
import { randomUUID } from 'node:crypto';
import { contract, type Call } from '@quarterdeck/contract';
import { demo, newRunId, privateKey } from '@quarterdeck/contract/demo';
import { z } from 'zod';
import { plain } from './backend/plain-nouns';
import { exampleOf, replaced, thingsIn, type Things } from './examples';
import type { Json } from './fuzz/hostile';
import type { Operator } from '../testing/backend';
import { idleKey, nowhere } from '../testing/idle-server';

export type Thing = keyof typeof demo;
export type Body = Record<string, Json>;

export const callOf = (id: string): Call => {
  const found = contract.find((call) => call.id === id);
  if (!found) throw new Error(`there is no call ${id}`);
  return found;
};

/** The call that adds a thing. */
const addedBy: Partial<Record<string, string>> = {
  answered: 'request.logs.insert',
  appToken: 'env-var.getAppToken',
  creation: 'creation.start',
  domain: 'domain.insert',
  email: 'email.insert',
  invitation: 'invitation.insert',
  location: 'domain.location.insert',
  publicToken: 'public-token.issue',
  mailToken: 'email.issue',
  pushToken: 'push.issue',
  workflowToken: 'workflow.trigger.issue',
  script: 'script.insert',
  server: 'server.insert',
  text: 'i18n.insert',
  textComment: 'i18n.insertComment',
  textUnit: 'i18n.insertUnit',
  variable: 'env-var.insert',
  ...Object.fromEntries(plain.map(({ category, path }) => [category, `${path.replaceAll('/', '.')}.insert`])),
};

/** The names of an example, of each of which there may be only one. */
const ownNames = (): Record<string, string> => {
  const own = randomUUID().slice(0, 8);
  return {
    Shop: `Shop-${own}`,
    shop: `shop-${own}`,
    'web-1': `web-${own}`,
    'shop.localhost': `shop-${own}.localhost`,
    'www.shop.localhost': `www-${own}.localhost`,
    '/api/': `/api-${own}/`,
    'grace@example.org': `grace-${own}@example.org`,
    'checkout.title': `checkout.title-${own}`,
    'checkout.heading': `checkout.heading-${own}`,
    LOG_LEVEL: `LOG_LEVEL_${own.toUpperCase()}`,
    '192.0.2.10': nowhere.host,
    [privateKey]: idleKey(),
  };
};

let numbers = 3000;
/** Ports and keys, which are numbers. */
const withOwnNumbers = (value: Json): Json => {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      ['port', 'key'].includes(key) && typeof one === 'number' ? (numbers += 1) : withOwnNumbers(one),
    ]),
  );
};

export interface Maker {
  /** Those that were made. */
  readonly made: Things;
  /** @returns the id of the thing, which is made only once */
  make(thing: Thing): Promise<string>;
  /**
   * The example of a call with new names, about things that are made for it, at their present revisions. Without the id
   * of a run, and for a removal without the name that confirms it.
   */
  inputFor(call: Call): Promise<Body>;
  ask<T = Body>(path: string, body?: object): Promise<T>;
}

/** @param others how to make things that no call of `addedBy` makes */
export const makerFor = (
  who: Operator,
  others: Partial<Record<Thing, (maker: Maker) => Promise<string>>> = {},
): Maker => {
  const made: Things = {};
  const ask = async <T>(path: string, body: object = {}): Promise<T> => {
    const answer = await who.post<T>(path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const revisionFor = async ({ path, noun }: Call, input: Body): Promise<number> => {
    const ofNoun = path.slice(0, path.lastIndexOf('/'));
    const [place, id] =
      noun === 'domain'
        ? ['domain', made.domain]
        : noun === 'creation'
          ? ['creation', made.creation]
          : [ofNoun, input['id']];
    const { revision } = await ask<{ revision: number }>(`${place}/detail`, id === undefined ? {} : { id });
    return revision;
  };
  const inputFor = async (call: Call): Promise<Body> => {
    const { required = [] } = z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' });
    const kept = Object.entries((call.example ?? {}) as Body).filter(
      ([key, value]) => value !== newRunId && (!call.id.endsWith('.delete') || required.includes(key)),
    );
    const example = Object.fromEntries(kept);
    for (const thing of thingsIn({ example })) await maker.make(thing);
    const named = replaced(exampleOf({ example }, made), ownNames());
    const input = withOwnNumbers(named) as Body;
    return 'revision' in input ? { ...input, revision: await revisionFor(call, input) } : input;
  };
  const add = async (thing: Thing): Promise<string> => {
    const call = callOf(addedBy[thing] ?? `(one that adds ${thing})`);
    return (await ask<{ id: string }>(call.path, await inputFor(call))).id;
  };
  /** Recorded as failed: no address on this machine may be called, and there is no other. */
  const pull = async (): Promise<string> => {
    const cdUrl = `https://hooks.example.org/${randomUUID()}`;
    await who.post('deploy/pull', { server: { id: await make('server') }, cdUrl });
    const [pulled] = await ask<{ id: string }[]>('deploy/logs/list');
    return pulled?.id ?? '';
  };
  /** Notifications show only CMS texts. */
  const cmsText = async (): Promise<string> => {
    const data = { key: randomUUID(), isCms: true, product: { id: await make('product') } };
    return (await ask<{ id: string }>('i18n/insert', { data })).id;
  };
  const make = async (thing: Thing): Promise<string> =>
    (made[thing] ??= await ({ cmsText, pull, ...others }[thing as 'pull']?.(maker) ?? add(thing)));
  const maker: Maker = { made, make, inputFor, ask };
  return maker;
};
