import { parse } from 'yaml';
import { dockerCompose } from './site-compose';
import type { Site, SiteLocation } from './site-model';

const server = { path: '/root/volumes/static', root: '/root/', nginxPath: '/root/volumes/nginx_config' };
const site = (serverName: string, locations: Omit<SiteLocation, 'id'>[]): Site => ({
  serverName,
  options: { docker: true, ssl: true, gzip: false },
  locations: locations.map((location, index) => ({
    id: `0190a000-0000-7000-8000-00000000000${index}`,
    ...location,
  })),
  folders: server,
  ipv6: true,
});
interface Mount {
  source: string;
  target: string;
  read_only?: boolean;
}
const nginxOf = (text: string) =>
  (parse(text) as { services: { nginx: { image: string; ports: string[]; volumes: Mount[] } } }).services
    .nginx;

it('The container gets sites, files, certificates and a folder for logs where the configurations expect them', () => {
  const { volumes, ports, image } = nginxOf(dockerCompose(server, []));
  expect(ports).toEqual(['80:80', '443:443']);
  expect(image).toMatch(/^nginx:\d/);
  expect(
    volumes.map(({ source, target, read_only: readOnly }) => [source, target, readOnly === true]),
  ).toEqual([
    ['/root/volumes/nginx_config', '/etc/nginx/conf.d', true],
    ['/root/volumes/static', '/root/volumes/static', true],
    ['/etc/letsencrypt', '/etc/letsencrypt', true],
    ['/root/.quarterdeck/logs', '/root/.quarterdeck/logs', false],
  ]);
});

it('Folders of locations elsewhere are mounted too, each once', () => {
  const locations = [
    { location: '/', url: 'http://app:3000', volumes: '/not/served' },
    { location: '/a', volumes: '/srv/my: files' },
    { location: '/b', volumes: '/srv/my: files/below/' },
    { location: '/c' },
  ];
  const { volumes } = nginxOf(dockerCompose(server, [site('a.test', locations), site('b.test', locations)]));
  expect(volumes.map(({ source }) => source)).toEqual([
    '/root/volumes/nginx_config',
    '/root/volumes/static',
    '/srv/my: files',
    '/etc/letsencrypt',
    '/root/.quarterdeck/logs',
  ]);
});

it('A folder with a special meaning to compose or nginx is refused by name, or left out if it is that of a site', () => {
  expect(() => dockerCompose({ ...server, path: '/srv/${HOME}' }, [])).toThrow('folder');
  expect(() => dockerCompose({ ...server, nginxPath: '/' }, [])).toThrow('folder');
  const sites = [site('a.test', [{ location: '/', volumes: '/a\n- b' }])];
  expect(dockerCompose(server, sites)).toBe(dockerCompose(server, []));
});

it('The services of the server are in the same file', () => {
  const orders = { image: 'ghcr.io/acme/orders@sha256:1', ports: ['127.0.0.1:20417:3000'] };
  const { services } = parse(dockerCompose(server, [], { orders })) as { services: object };
  expect(services).toMatchObject({ nginx: {}, orders });
});
