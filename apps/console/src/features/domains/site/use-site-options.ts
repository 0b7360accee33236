import type { DomainView, SiteOptions } from '@quarterdeck/projections';
import { useSearchParams } from 'react-router';

export const optionWords: Record<keyof SiteOptions, { label: string; help: string }> = {
  docker: { label: 'Docker', help: 'Upstreams are containers, and nginx is one too.' },
  ssl: { label: 'SSL', help: 'TLS on port 443; port 80 redirects there.' },
  gzip: { label: 'gzip', help: 'Compresses what is sent.' },
};

/** Common choices, named as in the specification. */
export const presets: readonly { label: string; options: SiteOptions }[] = [
  { label: 'New domain', options: { docker: false, ssl: true, gzip: false } },
  { label: 'Docker apply', options: { docker: true, ssl: false, gzip: false } },
  { label: 'Docker flow', options: { docker: true, ssl: false, gzip: true } },
];

/** Options of the live configuration; all off before the first apply. */
export const liveOptions = ({ config }: DomainView): SiteOptions =>
  config?.options ?? { docker: false, ssl: false, gzip: false };

export const optionNames = Object.keys(optionWords) as (keyof SiteOptions)[];

/** `docker, SSL` */
export const optionsInWords = (options: SiteOptions): string =>
  optionNames
    .filter((name) => options[name])
    .map((name) => optionWords[name].label)
    .join(', ') || 'no options';

/** The options applied last, until others are chosen, which are kept in the URL. */
export const useSiteOptions = (domain: DomainView): [SiteOptions, (to: SiteOptions) => void] => {
  const { config, certificate } = domain;
  const [params, setParams] = useSearchParams();
  const written = params.get('options');
  const chosen = written?.split(' ') ?? [];
  const options: SiteOptions =
    written === null
      ? { ...liveOptions(domain), ...(!config && { ssl: certificate !== undefined }) }
      : { docker: chosen.includes('docker'), ssl: chosen.includes('ssl'), gzip: chosen.includes('gzip') };
  const choose = (next: SiteOptions): void => {
    setParams(
      (before) => {
        before.set('options', optionNames.filter((one) => next[one]).join(' '));
        return before;
      },
      { replace: true, preventScrollReset: true, flushSync: true },
    );
  };
  return [options, choose];
};
