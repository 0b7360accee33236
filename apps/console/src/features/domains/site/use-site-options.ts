import type { DomainView, SiteOptions } from '@quarterdeck/projections';
import { useSearchParams } from 'react-router';

export const optionWords: Record<keyof SiteOptions, { label: string; help: string }> = {
  docker: { label: 'Docker', help: 'Upstreams are containers, and nginx is one too.' },
  ssl: { label: 'SSL', help: 'TLS on 443; port 80 leads there.' },
  gzip: { label: 'gzip', help: 'Compresses what is sent.' },
};

export const optionNames = Object.keys(optionWords) as (keyof SiteOptions)[];

/** `docker, SSL` */
export const optionsInWords = (options: SiteOptions): string =>
  optionNames
    .filter((name) => options[name])
    .map((name) => optionWords[name].label)
    .join(', ') || 'no options';

/** Those that were applied last; until others are chosen, which then stand in the address. */
export const useSiteOptions = ({
  config,
  certificate,
}: DomainView): [SiteOptions, (name: keyof SiteOptions, to: boolean) => void] => {
  const [params, setParams] = useSearchParams();
  const written = params.get('options');
  const chosen = written?.split(' ') ?? [];
  const options: SiteOptions =
    written === null
      ? (config?.options ?? { docker: false, ssl: certificate !== undefined, gzip: false })
      : { docker: chosen.includes('docker'), ssl: chosen.includes('ssl'), gzip: chosen.includes('gzip') };
  const change = (name: keyof SiteOptions, to: boolean): void => {
    const next = { ...options, [name]: to };
    setParams(
      (before) => {
        before.set('options', optionNames.filter((one) => next[one]).join(' '));
        return before;
      },
      { replace: true, preventScrollReset: true, flushSync: true },
    );
  };
  return [options, change];
};
