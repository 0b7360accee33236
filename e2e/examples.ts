/** Examples of the contract, for the tests over all calls. */
import type { Call } from '@quarterdeck/contract';
import { demo } from '@quarterdeck/contract/demo';
import type { Json } from './fuzz/hostile';

/** The value with other texts in place of some. */
export const replaced = (value: Json, by: Readonly<Record<string, string | undefined>>): Json => {
  if (typeof value === 'string') return by[value] ?? value;
  if (Array.isArray(value)) return value.map((one) => replaced(one, by));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one, by)]));
};

/** Real things in place of those of `demo`. */
export type Things = Partial<Record<keyof typeof demo, string>>;

/** Nothing outside of this machine is asked or written, and no work begins that lasts. */
const here = {
  'shop.example.org': 'shop.localhost',
  'www.shop.example.org': 'www.shop.localhost',
  'shop.example.org:8443': '127.0.0.1:8443',
  '/mnt/backups': '/tmp/quarterdeck-examples',
  servers: 'nothing',
};

/** The example of a call, about these things. Others in it do not exist. */
export const exampleOf = ({ example = {} }: Pick<Call, 'example'>, things: Things = {}): Json => {
  const ids = Object.entries(things).map(([thing, id]) => [demo[thing as keyof typeof demo], id]);
  return replaced(example as Json, { ...here, ...(Object.fromEntries(ids) as Record<string, string>) });
};

/** The things that an example is about. */
export const thingsIn = ({ example = {} }: Pick<Call, 'example'>): (keyof typeof demo)[] => {
  const text = JSON.stringify(example);
  return (Object.keys(demo) as (keyof typeof demo)[]).filter((thing) => text.includes(demo[thing]));
};
