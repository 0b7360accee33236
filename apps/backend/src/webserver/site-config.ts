/**
 * The nginx configuration of a site: `<nginxPath>/<serverName>.conf`. Pure: the same site always gives the same text.
 */
import { DomainError } from '../platform/errors';
import {
  because,
  block,
  comment,
  directive,
  pattern,
  print,
  text,
  variable,
  type Directive,
  type Printed,
  type Statement,
} from './nginx-tree';
import { requestHeaders } from './location-settings';
import { hostOf, mapsOf, safetyHeaders } from './site-headers';
import { locationBlocks } from './site-locations';
import {
  ACME_PATH,
  acmeWebroot,
  certificateOf,
  LONGEST_HASHED_NAME,
  logFormatOf,
  namePattern,
  PROOF_PATH,
  proofOf,
  siteFileName,
  siteLogs,
  type Site,
} from './site-model';
import { isWritable, siteProblems } from './site-problems';
import { isBehindProxy, schemeOf, trustStatements, unlessSecure } from './site-trust';

/** The largest request body: nginx's default of 1 MB is less than one photo. */
const MAX_BODY = '64m';

/**
 * The "intermediate" list of Mozilla's configuration generator, without ciphers that need the server's own parameters.
 */
const CIPHERS = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** nginx always adds text/html. */
const GZIP_TYPES = [
  'text/plain',
  'text/css',
  'text/javascript',
  'text/xml',
  'application/javascript',
  'application/json',
  'application/ld+json',
  'application/manifest+json',
  'application/rss+xml',
  'application/wasm',
  'application/xml',
  'image/svg+xml',
  'font/ttf',
  'font/otf',
];

/**
 * The text, with the field that each line belongs to. Throws a DomainError that names the fields if there are problems.
 */
export const siteText = (site: Site): Printed => {
  const problems = siteProblems(site);
  const [first] = Object.values(problems);
  if (first !== undefined) throw new DomainError('invalid', first, problems);
  const ports = site.listen ?? { http: 80, https: 443 };
  const shown =
    site.displayName === undefined || site.displayName === site.serverName ? '' : ` (${site.displayName})`;
  const secure = site.options.ssl;
  return print([
    comment(
      `${site.serverName}${shown}, written by Quarterdeck. What is changed here by hand is shown there as a`,
    ),
    comment('difference, and goes with the next change of the domain.'),
    logFormat(site),
    ...mapsOf(site),
    block(
      'server',
      [],
      [
        ...listen(site, ports.http, []),
        ...serverWide(site),
        ...acme(site),
        ...proof(site),
        ...(secure ? allToTls(site, ports.https) : locationBlocks(site)),
      ],
    ),
    ...(secure
      ? [
          block(
            'server',
            [],
            [
              ...because('options.ssl', ...listen(site, ports.https, ['ssl', 'http2'])),
              ...serverWide(site),
              ...tls(site),
              ...safetyHeaders(site),
              ...acme(site),
              ...proof(site),
              ...locationBlocks(site),
            ],
          ),
        ]
      : []),
    ...redirectBlocks(site, ports),
  ]);
};

/** The nginx configuration of the site: {@link siteText} without the fields. */
export const siteConfig = (site: Site): string => siteText(site).text;

/** All sites of a server as one text, each under the name of its file: as it is live, or as it would be written. */
export const serverStatement = (sites: readonly { site: Site; live: string | undefined }[]): string =>
  sites
    .map(({ site, live }) => {
      const file = siteFileName(site.serverName);
      if (live !== undefined) return `# ${file}\n${live}`;
      return isWritable(site)
        ? `# ${file}, never applied\n${siteConfig(site)}`
        : `# ${file}, never applied, and not writable\n`;
    })
    .join('\n');

/**
 * The field that an nginx message is about, if it can be determined: by the line that it names (`in FILE:LINE`), or,
 * since messages about certificates and logs name none, by a quoted word from the text.
 *
 * @param fileName of the file that nginx read, without its folder
 */
export const originOfMessage = ({ text: lines, origins }: Printed, message: string, fileName: string) => {
  const [, path, line] = / in (\S.{0,1023}):(\d+)\s*$/m.exec(message) ?? [];
  if (path !== undefined) return path.endsWith(`/${fileName}`) ? origins[Number(line) - 1] : undefined;
  const words = [...message.matchAll(/"([^"]{3,})"/g)].map(([, word]) => `"${word}"`);
  const named = lines.split('\n').findIndex((one) => words.some((word) => one.includes(word)));
  return origins[named];
};

/** Docker's own name server, which only containers have. */
export const DOCKER_RESOLVER = '127.0.0.11';

/** The addresses of containers change whenever they are replaced. */
export const dockerNames: Directive[] = [
  directive('resolver', DOCKER_RESOLVER, 'valid=10s', 'ipv6=off'),
  directive('resolver_timeout', '5s'),
];

const listen = ({ ipv6, listen: where }: Site, port: number, how: readonly string[]): Directive[] => [
  directive('listen', where?.address === undefined ? port : `${where.address}:${port}`, ...how),
  ...(ipv6 ? because('ipv6', directive('listen', text(`[::]:${port}`), ...how)) : []),
];

/** One line for each name, so that a message of nginx belongs to one of them. */
const serverName = (name: string): Directive =>
  directive('server_name', name.length > LONGEST_HASHED_NAME ? pattern(`~^${namePattern(name)}$`) : name);

/** The lines of other names, each with its field. */
const otherNames = ({ names = [] }: Site, which: 'serves' | 'redirects'): Directive[] =>
  names.flatMap(({ name, does }, index) =>
    does === which ? because(`names.${index}.name`, serverName(name)) : [],
  );

/** Whether the configuration answers for a name. */
export const isNamedIn = (text: string, name: string): boolean =>
  text.includes(print([serverName(name)]).text.trim());

/** Names that redirect have blocks of their own. They prove themselves like the site. */
const redirectBlocks = (site: Site, ports: { http: number; https: number }): Statement[] => {
  const names = otherNames(site, 'redirects');
  if (names.length === 0) return [];
  const answers = [...logFiles(site), ...acme(site), ...proof(site), ...toMainName(site, ports)];
  return [
    block('server', [], [...listen(site, ports.http, []), ...names, ...answers]),
    ...(site.options.ssl
      ? [
          block(
            'server',
            [],
            [
              ...because('options.ssl', ...listen(site, ports.https, ['ssl', 'http2'])),
              ...names,
              ...tls(site),
              ...safetyHeaders(site),
              ...answers,
            ],
          ),
        ]
      : []),
  ];
};

/** Path and query stay. Without TLS of ours, a proxy in front may have it. */
const toMainName = (site: Site, { http, https }: { http: number; https: number }): Directive[] => {
  const { serverName: main, options } = site;
  const port = options.ssl ? [https, 443] : [http, 80];
  const scheme = options.ssl ? 'https' : schemeOf(site);
  const shown = port[0] === port[1] ? [] : [':', port[0] ?? ''];
  return because(
    'names',
    block(
      'location',
      ['/'],
      [directive('return', 301, text(scheme, '://', main, ...shown, variable('request_uri')))],
    ),
  );
};

/** nginx's own format `combined`, with the seconds of the request at the end. */
const logFormat = (site: Site): Directive =>
  directive(
    'log_format',
    logFormatOf(site),
    text(
      variable('remote_addr'),
      ' - ',
      variable('remote_user'),
      ' [',
      variable('time_local'),
      '] "',
      variable('request'),
      '" ',
      variable('status'),
      ' ',
      variable('body_bytes_sent'),
      ' "',
      variable('http_referer'),
      '" "',
      variable('http_user_agent'),
      '" ',
      variable('request_time'),
    ),
  );

const logFiles = (site: Site): Directive[] => {
  const logs = siteLogs(site);
  return because(
    'folders.root',
    directive('access_log', text(logs.access), logFormatOf(site)),
    directive('error_log', text(logs.error)),
  );
};

const serverWide = (site: Site): Statement[] => {
  const { serverName: name, options } = site;
  return [
    ...because('serverName', serverName(name)),
    ...otherNames(site, 'serves'),
    ...logFiles(site),
    directive('server_tokens', 'off'),
    directive('client_max_body_size', MAX_BODY),
    requestHeaders,
    ...trustStatements(site),
    ...because('options.gzip', ...gzip(options.gzip)),
    ...(options.docker ? because('options.docker', ...dockerNames) : []),
  ];
};

/** `off` is written explicitly: Debian's default configuration turns it on for all sites. */
const gzip = (on: boolean): Directive[] =>
  on
    ? [
        directive('gzip', 'on'),
        directive('gzip_vary', 'on'),
        directive('gzip_proxied', 'any'),
        directive('gzip_comp_level', 5),
        directive('gzip_min_length', 256),
        directive('gzip_types', ...GZIP_TYPES),
      ]
    : [directive('gzip', 'off')];

/** `^~`: no pattern of the operator takes precedence, so certificates can be renewed whatever else the site does. */
const acme = ({ folders, acme: webroot }: Site): Statement[] =>
  because(
    'folders.path',
    block(
      'location',
      ['^~', ACME_PATH],
      [
        directive('root', text(webroot ?? acmeWebroot(folders.path))),
        directive('default_type', 'text/plain'),
      ],
    ),
  );

/** Answered by nginx itself, also where an app has `/` and where everything else is redirected to HTTPS. */
const proof = ({ serverName }: Site): Statement[] =>
  because(
    'serverName',
    block(
      'location',
      ['=', PROOF_PATH],
      [
        directive('access_log', 'off'),
        directive('default_type', 'text/plain'),
        directive('return', 200, text(proofOf(serverName))),
      ],
    ),
  );

const allToTls = (site: Site, port: number): Statement[] => {
  const there = directive(
    'return',
    301,
    text('https://', hostOf(site), ...(port === 443 ? [] : [':', port]), variable('request_uri')),
  );
  if (!isBehindProxy(site)) return because('options.ssl', block('location', ['/'], [there]));
  return [
    ...because('options.ssl', unlessSecure(site, there)),
    ...safetyHeaders(site),
    ...locationBlocks(site),
  ];
};

/** `listen ... http2` is the syntax before nginx 1.25. Newer versions accept it with a warning. */
const tls = (site: Site): Statement[] => {
  const { fullchain, key } = certificateOf(site);
  return [
    ...because('certificate.fullchain', directive('ssl_certificate', text(fullchain))),
    ...because('certificate.key', directive('ssl_certificate_key', text(key))),
    ...because(
      'options.ssl',
      directive('ssl_protocols', 'TLSv1.2', 'TLSv1.3'),
      directive('ssl_ciphers', CIPHERS),
      directive('ssl_prefer_server_ciphers', 'off'),
      directive('ssl_session_timeout', '1d'),
      directive('ssl_session_cache', 'shared:quarterdeck:10m'),
      directive('ssl_session_tickets', 'off'),
    ),
  ];
};
