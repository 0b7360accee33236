/** Checks the contents of docker-compose.yml and the Dockerfile without running a container. */
import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const root = path.resolve(__dirname, '../..');
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');

interface Service {
  image?: string;
  build?: string;
  ports?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[]; interval: string; retries: number };
}

const compose = parse(read('docker-compose.yml')) as { services: Record<string, Service>; volumes: object };
const { app, postgres, eventstore } = compose.services as Record<'app' | 'postgres' | 'eventstore', Service>;

/** Ends once it has made the passwords. The others run on. */
const { passwords, ...running } = compose.services;

describe('docker-compose.yml', () => {
  it('contains the application, Postgres and EventStoreDB', () => {
    expect(Object.keys(running).sort()).toEqual(['app', 'eventstore', 'postgres']);
    expect(app.build).toBe('.');
  });

  it.each(Object.entries(running))('has a health check for %s', (_name, service) => {
    expect(service.healthcheck).toMatchObject({
      test: expect.arrayContaining(['CMD']),
      interval: expect.stringMatching(/^\d+s$/),
      retries: expect.any(Number),
    });
  });

  it('starts the application only when its dependencies are healthy', () => {
    expect(app.depends_on).toEqual({
      postgres: { condition: 'service_healthy' },
      eventstore: { condition: 'service_healthy' },
    });
  });

  it('starts Postgres only once its password is made, without a network', () => {
    expect(postgres.depends_on).toEqual({ passwords: { condition: 'service_completed_successfully' } });
    expect(postgres.environment?.POSTGRES_PASSWORD_FILE).toBe(app.environment?.DATABASE_PASSWORD_FILE);
    expect(passwords).toMatchObject({ image: postgres.image, network_mode: 'none' });
  });

  it('gives the application the addresses of the other two', () => {
    expect(app.environment?.DATABASE_URL).toContain('@postgres:5432/quarterdeck');
    expect(app.environment?.EVENT_STORE_URL).toContain('esdb://eventstore:2113?tls=false');
    expect(postgres.environment?.POSTGRES_DB).toBe('quarterdeck');
    expect(eventstore.environment?.EVENTSTORE_INSECURE).toBe('true');
  });

  it('publishes only the console, and only on this machine', () => {
    expect(app.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
    expect(postgres.ports).toBeUndefined();
    expect(eventstore.ports).toBeUndefined();
  });

  it('keeps data in named volumes', () => {
    const used = Object.values(compose.services).flatMap((service) => service.volumes ?? []);
    const names = new Set(used.map((volume) => volume.replace(/:.*/, '')));
    expect([...names].sort()).toEqual(Object.keys(compose.volumes).sort());
  });

  it('pins every image', () => {
    for (const { image } of [postgres, eventstore]) expect(image).toMatch(/^[\w./-]+:\d[\w.-]*$/);
  });
});

describe('Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');
  const stages = lines.filter((line) => line.startsWith('FROM '));

  it('builds in one stage and ships another, both on the active LTS of Node', () => {
    expect(stages).toHaveLength(2);
    const lts = read('.nvmrc').trim();
    expect(lts).toBe('26');
    for (const stage of stages) expect(stage).toContain(`node:${lts}-bookworm-slim`);
    // CI starts the console on it, signs in, and does a first job.
    expect(read('scripts/test/lines.mjs')).toMatch(new RegExp(`const OTHERS = \\[.*'${lts}'.*\\];`));
    expect(read('scripts/fetch-node-lines.sh')).toMatch(
      new RegExp(`^for line in .*\\b${lts}\\b.*; do$`, 'm'),
    );
  });

  it('runs as an unprivileged user, with a health check', () => {
    const shipped = lines.slice(lines.lastIndexOf(stages[1] as string));
    expect(shipped).toContain('USER node');
    expect(shipped.some((line) => line.startsWith('HEALTHCHECK'))).toBe(true);
  });

  it('copies every manifest before it installs', () => {
    const text = read('Dockerfile');
    const install = text.indexOf('npm ci');
    for (const folder of ['libs', 'apps'].flatMap((parent) =>
      fs.readdirSync(path.join(root, parent)).map((name) => `${parent}/${name}`),
    )) {
      expect(text.slice(0, install)).toContain(`COPY ${folder}/package.json ${folder}/`);
    }
  });

  it('copies only existing files', () => {
    const copied = lines
      .filter((line) => /^COPY (?!--from)/.test(line))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(copied.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([]);
  });
});
