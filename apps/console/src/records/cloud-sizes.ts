/** Regions, sizes and images of droplets as choices, and the engines of databases. */
import type { Answer, cloud } from '@quarterdeck/contract';
import { cloudEngines } from '@quarterdeck/events/inputs';

type Options = Answer<typeof cloud.dropletOptions>;

const GIB = 1024;

/** `1 vCPU, 2 GB memory, 50 GB disk: 12 USD a month (0.01786 USD an hour)` */
export const sizeInWords = ({
  vcpus,
  memory,
  disk,
  priceMonthly,
  priceHourly,
}: Options['sizes'][number]): string => {
  const gib = memory >= GIB ? `${memory / GIB} GB` : `${memory} MB`;
  return `${vcpus} vCPU, ${gib} memory, ${disk} GB disk: ${priceMonthly} USD a month (${priceHourly} USD an hour)`;
};

export const sizeChoices = ({ sizes }: Options) =>
  sizes
    .toSorted((a, b) => a.priceMonthly - b.priceMonthly)
    .map((size) => ({ value: size.slug, label: sizeInWords(size) }));

export const regionChoices = ({ regions }: Options) =>
  regions.map(({ slug, name }) => ({ value: slug, label: `${name} (${slug})` }));

export const imageChoices = ({ images }: Options) =>
  images.map(({ slug, name, distribution }) => ({ value: slug, label: `${distribution} ${name}` }));

/** Why the size cannot be had in the region, if so. */
export const notOffered = (
  { sizes, regions }: Options,
  { size, region }: { size?: unknown; region?: unknown },
): string | undefined => {
  const found = sizes.find(({ slug }) => slug === size);
  if (!found || typeof region !== 'string' || region === '' || found.regions.includes(region))
    return undefined;
  const name = regions.find(({ slug }) => slug === region)?.name ?? region;
  return `DigitalOcean does not offer this size in ${name}.`;
};

const engines: Readonly<Record<string, string>> = { mysql: 'MySQL', pg: 'PostgreSQL' };
/** Why a product cannot use a database of this engine, if so. */
export const notOfProducts = (engine: string): string | undefined =>
  engine in engines ? undefined : 'Products use MySQL and PostgreSQL only';
/** Others created engines that the console does not know; they keep the provider's word. */
export const engineLabel = (engine: string): string => engines[engine] ?? engine;
export const engineChoices = cloudEngines.map((value) => ({ value, label: engineLabel(value) }));
