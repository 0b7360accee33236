/**
 * Folds the recorded samples, applies the input rules to difficult input, and prints the results. It runs on every
 * supported version of Node, and each has to print the same: see `scripts/test/lines.mjs`.
 */
import { createHash } from 'node:crypto';
import type { LoggedEvent } from '@quarterdeck/events';
import { projections, type AnyProjection } from '@quarterdeck/projections';
import { readSamples } from '../../libs/events/samples/read-samples';
import { codec } from '../../libs/events/src/codec';
import { packagePullStart } from '../../libs/events/src/package-pulls.inputs';
import { asciiName } from '../../libs/events/src/domains.inputs';
import { shownAddress } from '../../libs/events/src/shown-address';
import * as grammar from '../../libs/events/src/site-grammar';

const { isDisplayName, isFolder, isLocationPath, isLocationPattern, isServerName } = grammar;
const id = (number: number): string => `0193f0a0-0000-7000-8000-${String(number).padStart(12, '0')}`;
const categoryOf = (type: string): string => (/^[A-Z][a-z]+/.exec(type)?.[0] ?? type).toLowerCase();

/** The `xn--a` that newer URL parsers accept, and names that only newer Unicode tables know. */
const names = [
  'xn--a.example',
  'xn--a',
  'Bücher.Example.',
  'ΑΣ.example',
  'İstanbul.example',
  'ẞ.example',
  'a\u200db.example',

  'xn--0.example',
  'xn--zca.example',
  'faß.example',
  '①.example',
  'a。b',
  '0x7f.1',
  '1',
  '300.1.1.1',
  '[::1]',
  '[zz]',

  '\u{1c89}.example',
  '\u{10d50}.example',
  '\u{16ea0}.example',
  '\u{1fae9}.example',
  'xn--xn--a.example',
  'א1.example',
];
const addresses = names.flatMap((name) => [
  `http://${name}`,
  `https://${name}:8443/v1/`,
  `https://user:word@${name}/deploy/shop/production?a=b`,
]);

const samples = readSamples(process.argv[2]);
const deploy = samples.find(({ type, v }) => type === 'DeployRequested' && v === 1)?.data as object;
/** Version 1 recorded whole addresses, which an upcast shortens on reading. */
const pulled = addresses.map((cdUrl) => ({ type: 'DeployRequested', v: 1, data: { ...deploy, cdUrl } }));

const log = [...samples, ...pulled].map(({ type, v, data }, index) => {
  const at = new Date(Date.UTC(2026, 10, 20, 12, 0, index)).toISOString();
  const meta = {
    id: id(index),
    at,
    actor: id(1),
    workspace: id(2),
    correlationId: 'c',
    causationId: 'c',
    v: String(v),
  };
  const stream = `${categoryOf(type)}-${id(3)}`;
  return codec.decode({
    type,
    data,
    meta,
    stream,
    revision: index,
    position: String(index + 1),
    recordedAt: at,
  } as never);
}) as LoggedEvent[];

const folded = projections.map((projection: AnyProjection) => {
  const rows = new Map<string, object>();
  for (const event of log) {
    for (const key of projection.keys(event)) {
      try {
        const view = projection.evolve(rows.get(key), event, key);
        if (view) rows.set(key, view);
        else rows.delete(key);
      } catch (error) {
        // The samples are not a consistent story, so a fold may fail, but then it must fail everywhere.
        rows.set(`${key} ${event.type}`, { error: String(error) });
      }
    }
  }
  return [projection.name, Object.fromEntries(rows)];
});

/** Digest over every character up to `last`. */
const digestOf = (last: number, answer: (character: string) => string): string => {
  const hash = createHash('sha256');
  for (let code = 0; code <= last; code += 1) hash.update(`${answer(String.fromCodePoint(code))}\n`);
  return hash.digest('hex');
};
const rules = { isDisplayName, isFolder, isLocationPath, isLocationPattern };
const verdicts = {
  ...Object.fromEntries(
    Object.entries(rules).map(([name, is]) => [name, digestOf(0x1ffff, (one) => String(is(`/${one}`)))]),
  ),
  // Slower, so fewer characters.
  asciiName: digestOf(0x33ff, (one) => asciiName(`a${one}.example`)),
};

console.log(
  JSON.stringify(
    {
      folded: Object.fromEntries(folded),
      decoded: log.map(({ type, data }) => [type, data]),
      verdicts,
      names: names.map((name) => [name, asciiName(name), isServerName(asciiName(name))]),
      addresses: addresses.map((address) => [
        address,
        shownAddress(address),
        grammar.isUpstream(address),
        grammar.isRedirectTarget(address),
        packagePullStart.safeParse({ server: { id: id(9) }, cdUrl: address }).success,
      ]),
    },
    undefined,
    1,
  ),
);
