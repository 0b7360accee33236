/** The directives of each setting of a location. Its headers are in `site-headers.ts`. */
import type { LocationSetting } from '@quarterdeck/events';
import { because, directive, text, variable, type Directive } from './nginx-tree';
import { actionOf, within, type Site, type SiteLocation } from './site-model';

/** nginx's own 4 or 8 kB are less than two large cookies. */
const HEADER_KB = 16;
/** Without headers and cookies of a size that apps send, nginx answers 400. */
export const requestHeaders = directive('large_client_header_buffers', 4, '32k');

/** `proxy_…`, or the same for gRPC. */
export const ofUpstream = (url: string | undefined, name: string): string =>
  `${url?.startsWith('grpc') === true ? 'grpc' : 'proxy'}_${name}`;

type Written = (site: Site, location: SiteLocation) => Directive[];

const written: Record<Exclude<LocationSetting, 'frames' | 'corsOrigins'>, Written> = {
  maxBody: (_, { maxBody }) =>
    maxBody === undefined ? [] : [directive('client_max_body_size', `${maxBody}m`)],
  maxHeader: (site, location) => {
    if (actionOf(site, location).does !== 'pass') return [];
    const { url, maxHeader = HEADER_KB } = location;
    const size = `${maxHeader}k`;
    if (url?.startsWith('grpc')) return [directive('grpc_buffer_size', size)];
    return [
      directive('proxy_buffer_size', size),
      directive('proxy_buffers', 8, size),
      directive('proxy_busy_buffers_size', `${maxHeader * 2}k`),
    ];
  },
  singlePage: (site, location) => {
    if (location.singlePage !== true) return [];
    switch (actionOf(site, location).does) {
      case 'serve':
        // Below an alias nginx removes the location only from what has a variable in it.
        return [
          directive(
            'try_files',
            variable('uri'),
            text(variable('uri'), '/index.html'),
            '/index.html',
            '=404',
          ),
        ];
      case 'pass':
        return [
          directive(ofUpstream(location.url, 'intercept_errors'), 'on'),
          directive('error_page', 404, '=200', text(within(location.location, 'index.html'))),
        ];
      case 'redirect':
      case 'notFound':
        return [];
    }
  },
};

export const settingStatements = (site: Site, location: SiteLocation, field: string): Directive[] =>
  Object.entries(written).flatMap(([name, write]) => because(`${field}.${name}`, ...write(site, location)));
