/** A throw-away server with docker, nginx and a registry that demands a password. */
import type { RunView } from '@quarterdeck/projections';
import { fieldsOf } from '../../testing/server-fields';
import { engineLine, enginePackages } from '../../testing/docker-engine';
import type { Operator } from '../../testing/operator';
import { startThrowawayHost, type ThrowawayHost, type ThrowawayOptions } from '../../testing/throwaway-host';
import { siteServerSetUp } from '../webserver/site-set-up';
import { pause } from '../../testing/patience';

export const REGISTRY = '127.0.0.1:5000';
/** Repository of the image. */
export const SHOP = `${REGISTRY}/acme/shop`;

export const packages = [...enginePackages, 'docker-registry', 'busybox-static'];

/** Starts the registry, and waits until it listens. */
export const SERVE_REGISTRY = `systemd-run --unit shop-registry docker-registry serve /srv/registry/config.yml
timeout 400 bash -c 'until exec 3<>/dev/tcp/${REGISTRY.replace(':', '/')}; do sleep 0.05; done' 2>/dev/null`;

/** $1: the token. */
const setUp = (token: string): string => `set -e
${engineLine('docker-registry', 'busybox-static')}
${siteServerSetUp}
mkdir -p /srv/registry
perl -e 'print "token:", crypt($ARGV[0], q($2b$05$abcdefghijklmnopqrstuu)), "\\n"' '${token}' > /srv/registry/htpasswd
cat > /srv/registry/config.yml <<'END'
version: 0.1
storage: { filesystem: { rootdirectory: /srv/registry/data } }
http: { addr: '${REGISTRY}' }
auth: { htpasswd: { realm: shop, path: /srv/registry/htpasswd } }
END
${SERVE_REGISTRY}
mkdir -p /srv/image/bin /srv/image/www
cp -L "$(command -v busybox)" /srv/image/bin/busybox
for one in sh httpd nc printf sleep env true false ls touch kill pidof; do ln -sf busybox /srv/image/bin/$one; done`;

export interface ImageOptions {
  /** Default: true. Without, it never becomes healthy. */
  health?: boolean;
  /** It ends after so many answers. Default: never. */
  answers?: number;
  /** A health check of its own, every second. */
  check?: string;
}

const SERVE = 'trap "exit 0" TERM; httpd -p "$PORT" -h /www; while :; do sleep 3600 & wait $!; done';
const answering = (times: number): string =>
  `for one in ${'1 '.repeat(times)}; do nc -l -p 3000 -e /bin/sh -c 'printf "HTTP/1.1 200 OK\\r\\nConnection: close\\r\\n\\r\\nok\\n"; exit'; done; exit 3`;

/** Builds an image that answers with its version. */
const image = (tag: string, { health = true, answers, check }: ImageOptions): string => `set -e
cd /srv/image
echo ${tag} > www/index.html
rm -f www/health
${health ? 'echo ok > www/health' : ''}
cat > bin/serve <<'END'
#!/bin/sh
${answers === undefined ? SERVE : answering(answers)}
END
chmod +x bin/serve
tar -c . | docker import --change 'ENV PATH=/bin' --change 'CMD ["/bin/serve"]' ${
  check === undefined ? '' : `--change 'HEALTHCHECK --interval=1s --retries=1 CMD ${check}' `
}- ${SHOP}:${tag}
docker push --quiet ${SHOP}:${tag}
docker image rm ${SHOP}:${tag}`;

/** Request of a visitor. */
export interface Visit {
  port: number;
  path: string;
  headers: Record<string, string>;
}

/** Sends 50 requests a second inside the server's own network, so that the speed of a gate does not matter. */
const prober = (visit: Visit): string => `
const http = require('http'), fs = require('fs');
const seen = [], failed = [];
let sent = 0, open = 0;
const ask = () => {
  sent += 1; open += 1;
  const end = (what) => { open -= 1; if (/^v/.test(what)) { if (seen.at(-1) !== what) seen.push(what); } else failed.push(what); };
  const request = http.get({ host: '127.0.0.1', ...${JSON.stringify(visit)}, agent: false }, (answer) => {
    let text = '';
    answer.on('data', (more) => (text += more)).on('end', () => end(answer.statusCode === 200 ? text.trim() : 'status ' + answer.statusCode)).on('error', (error) => end(error.message));
  });
  request.on('error', (error) => end(error.message));
};
const timer = setInterval(() => {
  if (!fs.existsSync('/tmp/probe.stop')) return ask();
  if (open > 0) return;
  clearInterval(timer);
  fs.writeFileSync('/tmp/probe.json', JSON.stringify({ sent, seen, failed }));
}, 20);
`;

export interface Probed {
  sent: number;
  /** The versions that answered, in order. */
  seen: string[];
  failed: string[];
}

export interface ContainerServer {
  host: ThrowawayHost;
  /** Runs a line on the server as root; throws unless it succeeds. */
  inside(line: string): Promise<string>;
  /** Pushes images to the registry. */
  push(tag: string, how?: ImageOptions): Promise<void>;
  /** @param at address of its sshd. @returns its id */
  register(operator: Operator, at?: { host: string; port: number }, alias?: string): Promise<string>;
  /** Requests the service, or `visit`, 50 times a second until the returned function is called. */
  probe(visit?: Visit): Promise<() => Promise<Probed>>;
}

export const startContainerServer = async (
  token: string,
  options: ThrowawayOptions = {},
): Promise<ContainerServer> => {
  const host = await startThrowawayHost({ ...options, packages: true });
  const inside = async (line: string): Promise<string> => {
    const { code, out } = await host.inside(line);
    if (code !== 0) throw new Error(`${line}: exit code ${String(code)}: ${out}`);
    return out;
  };
  try {
    await inside(setUp(token));
    await inside(`printf '%s' '${token}' | docker login --username token --password-stdin ${REGISTRY}`);
  } catch (error) {
    await host.stop();
    throw error;
  }
  return {
    host,
    inside,
    push: async (tag, how = {}) => {
      await inside(image(tag, how));
    },
    async register(operator, at = host, alias = `web-${host.name}`) {
      const { privateKey } = await host.keyFor('ed25519');
      const place = { ...at, username: 'root' };
      const fields = { ...fieldsOf(alias, place), root: '/root/volumes' };
      return (await good<{ id: string }>(operator, 'server/insert', { ...fields, privateKey })).id;
    },
    async probe(visit = { port: 3000, path: '/', headers: {} }) {
      await inside(`rm -f /tmp/probe.*; cat > /tmp/probe.js <<'END'\n${prober(visit)}\nEND
        nohup '${process.execPath}' /tmp/probe.js >/tmp/probe.log 2>&1 &`);
      return async () => {
        const out = await inside(
          'touch /tmp/probe.stop; until [ -s /tmp/probe.json ]; do sleep 0.05; done; cat /tmp/probe.json',
        );
        return JSON.parse(out) as Probed;
      };
    },
  };
};

/**
 * A service on a server: a container unless told.
 * @param image of a version
 * @returns its id, and those of its packages by version
 */
export const addService = async (
  operator: Operator,
  server: string,
  versions: readonly string[],
  more: object = {},
  image = (version: string): string => `${SHOP}:${version}`,
) => {
  const data = {
    name: 'Orders',
    nameFront: '',
    organization: 'acme',
    repo: 'orders',
    repoFront: '',
    server: { id: server },
    port: 3000,
    packageType: 'container',
    packageSubfolder: '',
    withDb: false,
    healthPath: '/health',
    ...more,
  };
  const product = { data: { name: `Product of ${data.name}`, description: '' } };
  const { id } = await good<{ id: string }>(operator, 'product/insert', product);
  const service = (await good<{ id: string }>(operator, 'service/insert', { data, product: { id } })).id;
  const packageOf: Record<string, string> = {};
  for (const version of versions) {
    const fields = { data: { version, image: image(version), digest: '' }, service: { id: service } };
    packageOf[version] = (await good<{ id: string }>(operator, 'package/insert', fields)).id;
  }
  return { service, packageOf };
};

/** A service whose npm packages have a page in `dist`. */
export const addClient = (
  operator: Operator,
  server: string,
  versions: readonly string[],
  more: object,
  image: (version: string) => string,
) => {
  const client = { name: 'Client', packageType: 'npm', packageSubfolder: 'dist', healthPath: '/' };
  return addService(operator, server, versions, { ...client, ...more }, image);
};

export const good = async <T>(operator: Operator, path: string, body: object): Promise<T> => {
  const { status, body: answer } = await operator.post<T>(path, body);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
  return answer;
};

export const ended = async (operator: Operator, id: string): Promise<{ run: RunView; out: string }> => {
  for (;;) {
    const answer = await operator.post<RunView>('run/detail', { id }).catch(() => undefined);
    if (answer?.status === 200 && answer.body.endedAt !== undefined) {
      const { chunks } = await good<{ chunks: { text: string }[] }>(operator, 'run/output', { id });
      return { run: answer.body, out: chunks.map(({ text }) => text).join('') };
    }
    await pause(100);
  }
};

/** Waits until the step has begun, or the run has ended. */
export const begun = async (operator: Operator, run: string, step: string): Promise<void> => {
  for (;;) {
    const { body } = await operator.post<Partial<RunView>>('run/detail', { id: run });
    if (body.endedAt !== undefined || body.steps?.some((one) => one.step === step)) return;
    await pause(20);
  }
};
