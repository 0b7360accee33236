/**
 * The configuration of a domain on a real server, through the console's calls. covers: DOM-03, DOM-07, DOM-12, SRV-07
 */
import { v7 as uuidv7 } from 'uuid';
import { openWorld, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';
import { needs } from '../../testing/throwaway-needs';
import { startWebProbe } from '../../testing/web-probe';
import { setupTestsLack } from '../servers/setup-world';
import { siteWork, startSitePlace, type SitePlace, type SiteWork } from './site-ground';
import { siteServerSetUp } from './site-server';

const lacking = setupTestsLack(['nginx']);
needs('this machine can bring up throw-away servers with nginx', lacking);

const SITES = '/root/volumes/nginx_config';
const plain = { docker: false, ssl: false, gzip: false };

interface Refused {
  msg: string;
  data?: Record<string, string>;
}
interface Looked {
  runId: string;
  sha256: string | null;
  text: string | null;
  drifted: boolean;
}

if (lacking.length === 0) {
  let place: SitePlace;
  let world: World;
  let alice: Operator;
  let work: SiteWork;
  let server: string;
  let app: string;
  let page: string;
  const live = `${SITES}/app.example.test.conf`;

  beforeAll(async () => {
    place = await startSitePlace();
    world = await openWorld({ env: place.env });
    alice = await world.backend.signIn();
    work = siteWork(() => alice, place);
    await place.inside(siteServerSetUp);
    server = await work.register();
    app = await work.domain('app', server);
    page = await work.location(app, { location: '/' });
    await place.inside(
      'mkdir -p /root/volumes/static/app.example.test && echo hello > /root/volumes/static/app.example.test/index.html',
    );
  });
  afterAll(async () => {
    await world?.end();
    await place?.stop();
  });

  const applied = async (more: object = {}): Promise<string> => {
    const { run, out } = await work.run('nginx/exec', { id: app, ...more });
    expect([run.state, run.reason, run.state === 'succeeded' ? '' : out]).toEqual([
      'succeeded',
      undefined,
      '',
    ]);
    return run.id;
  };
  const refusal = async (id = app, path = 'nginx/exec', more: object = {}) => {
    const { run } = await work.run(path, { id, ...more });
    expect(run.state).toBe('failed');
    return {
      code: run.code,
      reason: run.reason,
      report: run.steps.at(-1)?.report,
      step: run.steps.at(-1)?.step,
    };
  };
  const fileNow = (): Promise<string> => place.inside(`cat ${live}`);
  const look = async (): Promise<Looked> => {
    const { status, body } = await alice.post<Looked>('nginx/look', { id: app });
    expect([status, body]).toEqual([200, expect.objectContaining({ runId: expect.any(String) })]);
    return body;
  };
  const removeLocation = (id: string) => alice.post('domain/location/delete', { id });

  test('a failed run can be retried only while the domain has its original name and server', async () => {
    const other = await work.register();
    const early = await work.domain('early', server);
    await work.location(early, { location: '/', url: 'http://nowhere.invalid:8080' });
    const { run } = await work.run('nginx/exec', { id: early });
    expect([run.state, run.code]).toEqual(['failed', 'refused']);
    const retry = async () => {
      const { status, body } = await alice.post('run/retry', { id: run.id });
      return [status, body.msg];
    };
    const [was, is] = [`early.${place.bind.zone}`, `renamed.${place.bind.zone}`];
    place.bind.change(`add ${is} 60 A ${place.host.host}`);
    const edit = async (serverName: string, on: string) =>
      (
        await alice.post('domain/update', {
          filters: { id: early },
          data: { serverName, server: { id: on } },
        })
      ).status;
    expect(await edit(is, server)).toBe(200);
    expect(await retry()).toEqual([422, `${was} was renamed to ${is} since: start a new run instead`]);
    expect(await edit(was, other)).toBe(200);
    expect(await retry()).toEqual([422, expect.stringMatching(/was moved away from web-.* since/)]);
    expect(await edit(was, server)).toBe(200);
    expect(await retry()).toEqual([200, undefined]);
    const { run: again } = await work.ended(run.id);
    expect(again.steps.filter(({ step }) => step === 'apply')).toHaveLength(2);
    expect(await place.inside(`ls ${SITES}`)).not.toMatch(/early|renamed/);
    expect((await alice.post('domain/delete', { id: early })).status).toBe(200);
    expect(await retry()).toEqual([404, 'domain could not be found']);
  });

  test('exactly the shown configuration goes live, and visitors see nothing but 200, even during a refusal', async () => {
    const generated = await alice.post<{ nginxStatement: string; applied: null; same: boolean }>(
      'nginx/generate',
      {
        id: app,
      },
    );
    expect(generated.body).toMatchObject({ applied: null, same: false, problems: {} });
    const first = await applied();
    const view = await work.detail(app);
    expect([view.config?.text, view.config?.run]).toEqual([generated.body.nginxStatement, first]);
    expect(await fileNow()).toBe(generated.body.nginxStatement);
    expect((await alice.post<{ same: boolean }>('nginx/generate', { id: app })).body.same).toBe(true);

    const probe = await startWebProbe(place.host, { serverName: 'app.example.test' });
    const before = await fileNow();
    const unknown = await work.location(app, { location: '/api/', url: 'http://nowhere.invalid:8080' });
    const late = await alice.post('nginx/exec', { id: app, seen: view.config?.sha256 });
    expect([late.status, await fileNow()]).toEqual([409, before]);
    expect(await refusal()).toEqual({
      code: 'refused',
      step: 'apply',
      reason: expect.stringMatching(
        /^nginx refuses it: host not found in upstream "nowhere\.invalid".*\. The live configuration is unchanged\.$/,
      ),
      report: expect.objectContaining({ field: `locations.${unknown}.url` }),
    });
    // With Docker an unknown name is accepted, because containers come and go, but this server has no container.
    const docker = { options: { docker: true, ssl: false, gzip: true } };
    expect(await refusal(app, 'nginx/exec', docker)).toMatchObject({ code: 'noContainer', step: 'apply' });
    await removeLocation(unknown);
    const pattern = await work.location(app, { location: '^/a{2,1}', match: 'regex', is404: true });
    expect((await refusal()).report).toMatchObject({ field: `locations.${pattern}.location` });
    await removeLocation(pattern);
    const media = await work.location(app, { location: '/media', volumes: '/srv/no-such-folder' });
    expect(await refusal()).toMatchObject({
      code: 'noFolder',
      step: 'folders',
      report: { field: `locations.${media}.volumes` },
    });
    await removeLocation(media);
    for (const gzip of [true, false]) await applied({ options: { ...plain, gzip } });
    expect(await fileNow()).toBe(before);

    await place.inside(
      `printf 'server { listen 80; server_name twin.example.test; return 204; }' > ${SITES}/theirs.conf; nginx -s reload`,
    );
    const twin = await work.domain('twin', server);
    expect(await refusal(twin)).toMatchObject({
      code: 'nameTaken',
      reason: expect.stringContaining('twin.example.test'),
      report: { field: 'serverName' },
    });
    await place.inside(`rm ${SITES}/theirs.conf; nginx -s reload`);
    expect((await work.detail(twin)).config).toBeUndefined();
    const { asked, bad } = await probe.stop();
    expect([bad, asked > 100]).toEqual([[], true]);
  });

  test.each([
    [{ location: '/', url: 'http://a/; return 200' }, 'url'],
    [{ location: '/ { } location /x' }, 'location'],
    [{ location: '/a', volumes: '/srv/$host' }, 'volumes'],
    [{ location: '/a', volumes: 'relative' }, 'volumes'],
    [{ location: '/a', url: 'http://a\n;/' }, 'url'],
  ])(
    'text that would change the nginx configuration is refused at once, by field: %j',
    async (data, field) => {
      const answer = await alice.post<Refused>('domain/location/insert', { domain: { id: app }, data });
      expect([answer.status, Object.keys(answer.body.data ?? {})]).toEqual([
        400,
        [expect.stringContaining(field)],
      ]);
    },
  );

  test('a file edited on the server is shown, not overwritten, and adopted or replaced as the operator decides', async () => {
    await applied();
    const ours = await fileNow();
    expect(await look()).toMatchObject({ text: ours, drifted: false });
    await place.inside(`echo '# by hand' >> ${live}`);
    const byHand = `${ours}# by hand\n`;
    expect(await refusal()).toMatchObject({
      code: 'drifted',
      reason: expect.stringContaining('adopt or overwrite it'),
    });
    const found = await look();
    expect(found).toMatchObject({ text: byHand, drifted: true });
    expect((await work.detail(app)).drift?.found?.text).toBe(byHand);
    const other = await alice.post<Refused>('nginx/adopt', { id: app, sha256: 'a'.repeat(64) });
    expect([other.status, Object.keys(other.body.data ?? {})]).toEqual([400, ['sha256']]);

    expect((await alice.post('nginx/adopt', { id: app, sha256: found.sha256 })).status).toBe(200);
    const adopted = await work.detail(app);
    expect([adopted.config?.text, adopted.drift, adopted.configs[0]?.run]).toEqual([
      byHand,
      undefined,
      undefined,
    ]);
    await applied();
    expect(await fileNow()).toBe(ours);

    await place.inside(`echo '# again' >> ${live}`);
    await applied({ overwrite: (await look()).sha256 });
    expect([await fileNow(), (await work.detail(app)).drift]).toEqual([ours, undefined]);

    await place.inside(`rm ${live}`);
    expect(await look()).toMatchObject({ sha256: null, text: null, drifted: true });
    expect(await refusal()).toMatchObject({ code: 'drifted' });
    await applied({ overwrite: '-' });

    // Not text: it can be replaced, but not stored.
    await place.inside(`printf 'a\\000b\\377' > ${live}`);
    const binary = await look();
    expect(binary).toMatchObject({ drifted: true, text: '' });
    const kept = await alice.post<Refused>('nginx/adopt', { id: app, sha256: binary.sha256 });
    expect([kept.status, kept.body.data?.['sha256']]).toEqual([400, expect.stringContaining('not text')]);
    await applied({ overwrite: binary.sha256 });
    await place.inside(`cp -p ${live} /tmp/live; echo '# once more' >> ${live}`);
    await look();
    await place.inside(`cp -p /tmp/live ${live}`);
    expect([(await look()).drifted, (await work.detail(app)).drift]).toEqual([false, undefined]);
  });

  test('an earlier configuration is restored unchanged', async () => {
    const gzip = { ...plain, gzip: true };
    await applied({ options: gzip });
    const earlier = (await work.detail(app)).config;
    await applied({ options: plain });
    const { body } = await alice.post<{ text: string }>('nginx/applied', {
      id: app,
      sha256: earlier?.sha256,
    });
    expect(body.text).toBe(earlier?.text);
    const { run } = await work.run('nginx/restore', { id: app, sha256: earlier?.sha256 });
    expect([run.state, run.label]).toEqual(['succeeded', 'Restore configuration']);
    expect(await fileNow()).toBe(earlier?.text);
    expect((await work.detail(app)).config).toMatchObject({ options: gzip, restored: earlier?.sha256 });
    const never = await alice.post<Refused>('nginx/restore', { id: app, sha256: 'b'.repeat(64) });
    expect([never.status, Object.keys(never.body.data ?? {})]).toEqual([400, ['sha256']]);
    await applied({ options: plain });
  });

  test('a site that does not answer any more after an apply is restored', async () => {
    const before = await work.detail(app);
    // Written by hand, and not loaded yet: once nginx loads it, this address is no longer ours.
    await place.inside(`printf 'server { listen 127.0.0.1:80; return 444; }' > /etc/nginx/conf.d/hand.conf`);
    const { run, out } = await work.run('nginx/exec', { id: app, options: { ...plain, gzip: true } });
    expect([run.state, run.code, run.steps.map(({ step }) => step)]).toEqual([
      'failed',
      'probe',
      ['before', 'folders', 'apply', 'probe', 'putBack', 'verdict'],
    ]);
    expect(run.reason).toContain('The previous configuration is live again');
    expect(out).toContain('http://app.example.test/: 200');
    const after = await work.detail(app);
    expect([after.config?.text, await fileNow()]).toEqual([before.config?.text, before.config?.text]);
    expect([after.config, after.drift]).toEqual([
      expect.objectContaining({ restored: before.config?.sha256, options: before.config?.options }),
      undefined,
    ]);
    await place.inside('rm /etc/nginx/conf.d/hand.conf; nginx -s reload');
    await applied();
  });

  test('logs of a location are followed live until somebody ends it, and its upstream is requested from the server', async () => {
    const api = await work.location(app, { location: '/api/', url: 'http://127.0.0.1:8091' });
    await place.inside(
      `systemd-run --quiet --collect --unit=upstream ${process.execPath} -e "require('http').createServer((q, r) => r.end('hi')).listen(8091, '127.0.0.1')"`,
    );
    await applied();
    const runId = uuidv7();
    expect((await alice.post('domain/location/logs', { id: api, lines: 5, seconds: 60, runId })).status).toBe(
      200,
    );
    const mark = `/api/${runId}`;
    const output = async (): Promise<string> => {
      const { body } = await alice.post<{ chunks: { text: string }[] }>('run/output', { id: runId });
      return (body.chunks ?? []).map(({ text }) => text).join('');
    };
    // Repeats the request until the follower, whenever it begins, has seen it.
    while (!(await output()).includes(mark))
      await place.inside(
        `curl -s -o /dev/null -H 'Host: app.example.test' http://127.0.0.1${mark}; sleep 0.1`,
      );
    await alice.post('run/cancel', { id: runId });
    expect((await work.ended(runId)).run.state).toBe('cancelled');

    const { run, out } = await work.run('domain/location/inspect', { id: api });
    expect([run.state, run.steps[0]?.report]).toEqual([
      'succeeded',
      expect.objectContaining({ finding: 'answered', status: '200', address: '127.0.0.1' }),
    ]);
    expect(out).toContain('127.0.0.1');
    const files = await alice.post<Refused>('domain/location/inspect', { id: page });
    expect([files.status, Object.keys(files.body.data ?? {})]).toEqual([400, ['id']]);
  });

  test('a server’s sites are shown as they are live, with what is not applied, and a site can be removed', async () => {
    await work.location(app, { location: '/late', is404: true });
    const loop = await work.domain('loop', server);
    await work.location(loop, { location: '/', isRedirect: true, url: '/' });
    const config = await alice.post<{ nginxStatement: string; dockerCompose: string; unapplied: object[] }>(
      'server/config',
      { id: server },
    );
    expect(config.status).toBe(200);
    const text = (await work.detail(app)).config?.text;
    expect(text).not.toContain('/late');
    expect(config.body.nginxStatement).toContain(`# app.example.test.conf\n${text}`);
    expect(config.body.nginxStatement).toMatch(/^# twin\.example\.test\.conf, never applied\n/m);
    const states = [
      ['app', expect.stringMatching(/^changes not applied: \d+ lines?$/), []],
      ['twin', 'never applied', []],
      // One site that cannot be written does not hide the others.
      ['loop', 'cannot be written', ['Location /, url: this redirects to the same location for ever']],
    ];
    for (const [name, state, problems] of states)
      expect(config.body.unapplied).toContainEqual(
        expect.objectContaining({ serverName: `${name}.example.test`, state, problems }),
      );
    expect(config.body.dockerCompose).toContain('nginx');
    const { run } = await work.run('nginx/remove', { id: app });
    expect(run.state).toBe('succeeded');
    expect(await place.inside(`ls ${SITES}`)).toBe('');
    const view = await work.detail(app);
    expect([view.config, view.configs.length > 0]).toEqual([undefined, true]);
    const again = await alice.post<Refused>('nginx/remove', { id: app });
    expect([again.status, Object.keys(again.body.data ?? {})]).toEqual([400, ['id']]);
    // Neither a missing certificate nor a missing certbot is an obstacle.
    await applied();
    const runId = uuidv7();
    const { headers } = await alice.post('domain/delete', { id: app, runId });
    const gone = await work.ended(runId);
    // Whoever reads at the position of the answer finds the run that it names.
    expect(BigInt(headers.get('x-position') ?? 0)).toBeGreaterThanOrEqual(BigInt(gone.run.requestedPosition));
    expect([gone.run.state, gone.run.steps.map(({ step }) => step)]).toEqual(['succeeded', ['remove']]);
    expect((await alice.post('domain/detail', { id: app })).status).toBe(404);
  });
}
