/** Every call that answers about the past, with all questions of a story. */
import { contract } from '@quarterdeck/contract';
import { plain } from '../backend/plain-nouns';
import type { Operator } from '../../testing/backend';
import type { Story } from './story';

export interface Question {
  path: string;
  body?: object;
}

type Ask = (story: Story) => (object | undefined)[];

const about =
  (category: string): Ask =>
  (story) =>
    (story.ids[category] ?? []).slice(-3).map((id) => ({ id }));
const nothing: Ask = () => [{}];
const ofProduct: Ask = (story) => about('product')(story).map((product) => ({ product }));
const ofService: Ask = (story) => about('service')(story).map((service) => ({ service }));
const aboutText = (story: Story) => (story.ids['text'] ?? []).slice(-3).map((uuid) => ({ uuid }));
const aboutInstance = (story: Story) => (story.ids['apiInstance'] ?? []).slice(-3).map((uuid) => ({ uuid }));
const answers = (story: Story) => (story.ids['answer'] ?? []).slice(-3);
const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const asks: Record<string, Ask> = {
  '/api/server/list': nothing,
  '/api/server/page': () => [{}, { search: 'e', sort: '-alias', size: 2 }],
  '/api/server/detail': about('server'),
  '/api/server/config': (story) => about('server')(story).slice(-2),
  '/api/digitalocean/droplet/list': () => [undefined],
  '/api/digitalocean/droplet/detail': about('droplet'),
  '/api/digitalocean/databases/list': () => [undefined],
  '/api/domain/list': () => [undefined],
  '/api/domain/page': () => [{}, { search: 'e', sort: '-days', size: 2 }],
  '/api/domain/listByServer': (story) => about('server')(story).map((server) => ({ server })),
  '/api/domain/pageByServer': (story) => about('server')(story).map((server) => ({ server, sort: '-days' })),
  '/api/domain/expiries': () => [{}, { month: '2026-12' }],
  '/api/domain/detail': about('domain'),
  '/api/domain/location/list': (story) => about('domain')(story).map((domain) => ({ domain })),
  '/api/domain/location/listByService': (story) => ofService(story),
  '/api/domain/location/detail': about('location'),
  '/api/nginx/generate': (story) => about('domain')(story).slice(-2),
  '/api/nginx/applied': (story) => about('domain')(story).map((id) => ({ ...id, sha256: emptySha256 })),
  '/api/script/list': nothing,
  '/api/script/page': () => [{}, { search: 'e', sort: '-changed', size: 2 }],
  '/api/script/detail': about('script'),
  '/api/run/list': (story) => [
    {},
    { search: 'on' },
    { subject: { kind: 'server', id: story.any('server') } },
    { limit: 2 },
  ],
  '/api/run/detail': about('run'),
  '/api/run/output': about('run'),
  '/api/fleet/detail': about('run'),
  '/api/health/list': nothing,
  '/api/health/history': (story) => about('server')(story).map((id) => ({ ...id, hours: 24 })),
  '/api/health/service': (story) => about('service')(story).map((id) => ({ ...id, hours: 24 })),
  '/api/traffic/site': (story) => about('domain')(story).map((id) => ({ ...id, hours: 24 })),
  '/api/creation/list': () => [{}, { open: true }],
  '/api/creation/detail': about('creation'),
  '/api/home/overview': nothing,
  '/api/history/list': () => [{}, { text: 'web' }, { subject: { category: 'server' }, limit: 3 }],
  '/api/history/detail': () => [{ position: '3' }],
  '/api/moment/difference': (story) =>
    ['server', 'domain', 'script', ...plain.map(({ category }) => category)].map((category) => ({
      subject: { category, id: story.any(category) },
      from: '25',
    })),
  '/api/workspace/detail': nothing,
  '/api/product/listWServices': nothing,
  '/api/data-model/attribute/listAssociated': about('entity'),
  '/api/data-model/attribute/listWEntity': ofProduct,
  '/api/data-model/entity/visualization': ofProduct,
  '/api/data-model/version/list': about('product'),
  '/api/data-model/version/detail': about('version'),
  '/api/data-model/version/pending': about('product'),
  '/api/data-model/version/difference': (story) => ofProduct(story).map((one) => ({ ...one, from: 0 })),
  '/api/product/backend/list': ofProduct,
  '/api/product/backend/get': (story) =>
    aboutInstance(story).map((instance) => ({ product: { id: story.any('product') }, instance })),
  '/api/product/backend/addresses': () => [{}],
  '/api/product/backend/refresh': (story) => aboutInstance(story).map((instance) => ({ instance })),
  '/api/product/backend/changes': (story) =>
    aboutInstance(story).map((instance) => ({ instance, from: '25' })),
  '/api/product/backend/model': ofProduct,
  '/api/data-model/version/origins': about('version'),
  '/api/data-model/migration/list': (story) =>
    about('version')(story).map((version) => ({
      product: { id: story.any('product') },
      version: { uuid: (version as { id: string }).id },
    })),
  '/api/data-model/migration/detail': about('migration'),
  '/api/email/list': ofProduct,
  '/api/email/page': (story) => ofProduct(story).map((one) => ({ ...one, search: 'e', size: 2 })),
  '/api/email/detail': about('email'),
  '/api/email/token/list': ofProduct,
  '/api/env-var/list': ofService,
  '/api/env-var/detail': about('variable'),
  '/api/env-var/token/list': ofService,
  '/api/push/list': ofService,
  '/api/push/token/list': ofService,
  '/api/i18n/list': about('product'),
  '/api/i18n/page': (story) => [
    ...ofProduct(story),
    ...ofProduct(story).map((of) => ({
      ...of,
      search: 'e',
      sort: '-changed',
      size: 2,
      states: ['translated'],
    })),
  ],
  '/api/i18n/detail': (story) => aboutText(story),
  '/api/i18n/history/unit': (story) => aboutText(story).map((of) => ({ ...of, language: 1 })),
  '/api/i18n/completeness': ofProduct,
  // The days that it answers depend on the day on which it is asked: e2e/texts asks it about the past.
  '/api/i18n/completeness/days': () => [],
  '/api/i18n/export': (story) => ofProduct(story).map((of) => ({ ...of, format: 'csv' })),
  '/api/notification/preview': (story) => ofProduct(story).map((of) => ({ ...of, language: 1 })),
  '/api/public-token/list': ofProduct,
  '/api/person/list': nothing,
  '/api/person/names': nothing,
  '/api/person/page': () => [{}, { former: true }, { former: false, search: 'e', sort: '-joined', size: 2 }],
  '/api/person/detail': about('person'),
  '/api/invitation/list': nothing,
  '/api/alert/list': () => [{}, { open: true }],
  '/api/alert-channel/message/newest': nothing,
  '/api/alert-channel/message/list': about('alertChannel'),
  '/api/alert/page': () => [{}, { search: 'e', sort: '-raisedAt', size: 2 }],
  '/api/deploy/logs/list': () => [{}],
  '/api/deploy/logs/page': (story) => about('server')(story).map((server) => ({ server })),
  '/api/deploy/service/versions': about('service'),
  '/api/deploy/release/list': (story) => [{}, ...ofService(story), ...ofProduct(story)],
  '/api/deploy/release/page': ofService,
  '/api/deploy/release/running': (story) => [{}, ...ofService(story), ...ofProduct(story)],
  '/api/deploy/release/detail': about('release'),
  '/api/deploy/release/value/list': ofService,
  '/api/deploy/release/compare': (story) =>
    about('release')(story).map((release) => {
      const { id } = release as { id: string };
      return { from: id, to: story.any('release') };
    }),
  '/api/request/answer': (story) => answers(story).map((run) => ({ run })),
  '/api/request/past': (story) =>
    about('request')(story)
      .slice(-1)
      .map((id) => ({ ...id, checks: 'status == 0', days: 7 })),
  '/api/request/logs/list': about('request'),
  '/api/request/logs/detail': about('answer'),
  // Stories send nothing: e2e/requests asks it about the past.
  '/api/request/collection/results': () => [],
  '/api/workflow/counts': (story) => [{ workflows: (story.ids['workflow'] ?? []).slice(-3) }],
  '/api/workflow/instance/list': about('workflow'),
  '/api/workflow/instance/page': (story) =>
    about('workflow')(story).flatMap((one) => [one, { ...one, is: 'asking', limit: 1 }]),
  '/api/workflow/instance/detail': about('workflowInstance'),
  '/api/workflow/state/list': about('workflowInstance'),
  '/api/workflow/state/detail': about('workflowState'),
  '/api/workflow/trigger/token/list': about('workflowTrigger'),
  '/api/workflow/version/list': about('workflow'),
  '/api/workflow/version/detail': (story) => about('workflow')(story).map((one) => ({ ...one, version: 1 })),
  '/api/workflow/version/compare': (story) => about('workflow')(story).map((one) => ({ ...one, from: 0 })),
  '/api/ssl/status': nothing,
  '/api/ssl/checks': about('run'),
  '/api/ssl/checks/page': about('run'),
  '/api/ssl/budget': nothing,
  ...Object.fromEntries(
    plain.flatMap(({ path, category }) => [
      [`/api/${path}/list`, nothing],
      [`/api/${path}/page`, () => [{}, { search: 'e', sort: '-changed', size: 2 }]],
      [`/api/${path}/detail`, about(category)],
    ]),
  ),
};

/** @throws for a call about the past without a question here */
export const questionsOf = (story: Story): Question[] =>
  contract
    .filter(({ asOf }) => asOf)
    .flatMap((call) => {
      const path = `/api/${call.path}`;
      const ask = asks[path];
      if (!ask) throw new Error(`nobody asks ${path} about the past: add it to e2e/as-of/questions.ts`);
      return ask(story).map((body) => ({ path, ...(body && { body }) }));
    });

/** Parts of an answer that depend on the time of the request or the age of data, and sessions, which the past lacks. */
const ofTheMoment = /"(from|to|nextAt)":"[^"]*",?|,"sessions":\d+/g;

export const answerTo = async (
  who: Operator,
  { path, body }: Question,
  at?: string,
): Promise<{ status: number; text: string }> => {
  const headers: Record<string, string> = at === undefined ? {} : { 'x-at': at };
  const ask = () => (body ? who.post(path, body, headers) : who.get(path, headers));
  let answer = await ask();
  // Too many concurrent questions for this machine: a 503 says so, and is not an answer.
  while (answer.status === 503) answer = await ask();
  return { status: answer.status, text: JSON.stringify(answer.body).replace(ofTheMoment, '') };
};
