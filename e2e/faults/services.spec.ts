// covers: SVC-01
import { randomUUID } from 'node:crypto';
import { fieldsOf, idleKey, nowhere } from '../backend/world';
import { signIn, spawnBackend } from '../../testing/backend';
import { startGitHub } from '../../testing/github';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { pause } from '../../testing/patience';
import { fault, moment, within } from './fault';

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());

const TOKEN = 'ghp_a-token-of-the-faults';
/** Number of calls that the whole creation makes after its checks. */
const CALLS = 30;
const CHECKS = 2;

const startSource = async () => {
  const github = await startGitHub();
  github.tokens.set(TOKEN, { login: 'ada', scopes: ['repo'] });
  github.organizations.set('acme', { members: ['ada'] });
  const files = { 'package.json': '{\n  "name": "template"\n}\n', 'README.md': '# Template\n' };
  github.add('acme', 'server-template', files, { template: true });
  github.add('acme', 'client-template', files, { template: true });
  return github;
};

fault({
  fault: 'kill -9 of the back end while it creates a service',
  must: 'the creation goes on by itself, and makes nothing twice',
  share: 0.2,
  trial: async (turn) => {
    const databaseUrl = await postgres.newDatabase();
    const github = await startSource();
    const env = { GITHUB_API_URL: github.url };
    let backend = await spawnBackend({ databaseUrl, env });
    try {
      const who = await signIn(backend.url, backend.signInLink);
      await who.post('profile/gh-token/update', { value: TOKEN });
      const templates = { serverTemplate: 'acme/server-template', clientTemplate: 'acme/client-template' };
      await who.post('workspace/source-host', { ...templates, isPrivate: false });
      const product = { id: String((await who.post('product/insert', { data: { name: 'Shop' } })).body.id) };
      await who.post('data-model/entity/insert', { data: { name: 'Order', isUuid: true }, product });
      await who.post('data-model/version/create', { id: product.id });
      const registered = { ...fieldsOf('web-1', nowhere), privateKey: idleKey() };
      const server = { id: String((await who.post('server/insert', registered)).body.id) };
      const data = {
        name: 'Shop',
        nameFront: 'Shop client',
        organization: 'acme',
        repo: 'shop',
        repoFront: 'shop-client',
        server,
        port: 3000,
        packageType: 'container',
        packageSubfolder: '',
        withDb: true,
      };
      const runId = randomUUID();
      const { status, body } = await who.post('service/create', { data, product, runId });
      expect(status).toBe(200);
      const after = CHECKS + moment(turn, CALLS);
      while (
        github.calls.length < after &&
        (await who.post('run/detail', { id: runId })).body.state !== 'succeeded'
      )
        await pause(5);
      await backend.kill('SIGKILL');
      backend = await spawnBackend({ databaseUrl, env, port: Number(new URL(backend.url).port) });
      const took = await within(60_000, 'the end of the creation', async () => {
        const run = (await who.post('run/detail', { id: runId })).body;
        if (['failed', 'interrupted'].includes(String(run.state))) throw new Error(String(run.reason));
        return run.state === 'succeeded';
      });
      expect(github.repository('acme', 'shop')?.history()).toEqual([
        'Initialize Shop',
        'Add version 1 of the data model',
        'Initial commit',
      ]);
      expect(github.repository('acme', 'shop-client')?.history()).toEqual([
        'Initialize Shop client',
        'Initial commit',
      ]);
      expect(github.undescribed).toEqual([]);
      const services = (await who.post<object[]>('service/list', { product })).body;
      expect(services).toMatchObject([{ id: body.id, name: 'Shop' }]);
      const events = (await who.get<string>('history/export?format=csv')).body;
      for (const [type, times] of Object.entries({
        RepositoryCreated: 2,
        RepositoryInitialized: 2,
        RepositoryModelAdded: 1,
        VariableAdded: 4,
      }))
        expect([type, events.split(type).length - 1]).toEqual([type, times]);
      return `killed after ${after} calls, ended after ${took} ms`;
    } finally {
      await backend.stop();
      await github.stop();
    }
  },
});
