/**
 * Proxies in front of the server. What others say about the visitor's address and protocol is ignored, since everybody
 * could say it.
 */
import { wordsOf } from '@quarterdeck/events';
import { because, block, directive, pattern, text, variable, whether, type Directive } from './nginx-tree';
import { ACME_PATH, literally, ownName, PROOF_PATH, type Site } from './site-model';

export const isBehindProxy = ({ settings }: Site): boolean => settings?.trustedProxies !== undefined;

const networks = ({ settings }: Site): string[] => wordsOf(settings?.trustedProxies);

/** The address of the connection, which the address that the proxy names does not replace. */
const CONNECTED = variable('realip_remote_addr');

/** The protocol and the port that the visitor used. */
export const schemeOf = (site: Site) => variable(isBehindProxy(site) ? ownName('scheme', site) : 'scheme');
export const portOf = (site: Site) => variable(isBehindProxy(site) ? ownName('port', site) : 'server_port');

export const trustMaps = (site: Site): Directive[] => {
  if (!isBehindProxy(site)) return [];
  const trusted = variable(ownName('trusted', site));
  const told = text(trusted, ' ', variable('http_x_forwarded_proto'));
  return [
    block(
      'geo',
      [CONNECTED, trusted],
      [directive('default', 0), ...networks(site).map((one) => directive(text(one), 1))],
    ),
    block(
      'map',
      [told, schemeOf(site)],
      [
        directive('default', variable('scheme')),
        directive(text('1 https'), 'https'),
        directive(text('1 http'), 'http'),
      ],
    ),
    block(
      'map',
      [told, portOf(site)],
      [
        directive('default', variable('server_port')),
        directive(text('1 https'), 443),
        directive(text('1 http'), 80),
      ],
    ),
    ...(site.options.ssl
      ? [
          block(
            'map',
            [text(schemeOf(site), ' ', variable('uri')), variable(ownName('insecure', site))],
            [
              directive('default', 0),
              directive(pattern(`~^http (?!${[ACME_PATH, PROOF_PATH].map(literally).join('|')})`), 1),
            ],
          ),
        ]
      : []),
  ];
};

/** In each server block: the address that a trusted proxy names is the visitor's, in the logs, too. */
export const trustStatements = (site: Site): Directive[] =>
  because(
    'settings.trustedProxies',
    ...networks(site).map((one) => directive('set_real_ip_from', text(one))),
    ...(isBehindProxy(site)
      ? [
          directive('real_ip_header', site.settings?.realAddress ?? 'X-Forwarded-For'),
          directive('real_ip_recursive', 'on'),
          // nginx would put its own protocol into redirects: visitors of a proxy that ends TLS would be sent to http.
          directive('absolute_redirect', 'off'),
        ]
      : []),
  );

/** Redirects only visitors who did not come to the proxy by HTTPS. */
export const unlessSecure = (site: Site, answer: Directive): Directive =>
  block('if', [whether(ownName('insecure', site))], [answer]);
