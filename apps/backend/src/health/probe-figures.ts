/** Parses the output of a probe into figures. Pure. An unknown line does not affect the others. */
import { serviceStateOf, type HealthFigures, type ProbedService } from '@quarterdeck/projections';

const KIB = 1024;

type Reader = (value: string) => HealthFigures | undefined;

const decimal =
  (name: 'load1' | 'load5' | 'load15'): Reader =>
  (value) =>
    /^\d{1,6}(\.\d{1,6})?$/.test(value) ? { [name]: Number(value) } : undefined;

const whole =
  (name: 'cores' | 'uptimeSeconds' | 'containers', most: number): Reader =>
  (value) =>
    /^\d{1,15}$/.test(value) && Number(value) <= most ? { [name]: Number(value) } : undefined;

const kibibytes =
  (name: 'memoryTotal' | 'memoryAvailable' | 'diskTotal' | 'diskUsed' | 'diskAvailable'): Reader =>
  (value) =>
    // Up to 8 EiB, the limit of the column; exact up to 8 PiB.
    /^\d{1,15}$/.test(value) ? { [name]: Number(value) * KIB } : undefined;

const word =
  <N extends 'docker' | 'nginx'>(name: N, words: readonly NonNullable<HealthFigures[N]>[]): Reader =>
  (value) =>
    words.some((known) => known === value) ? { [name]: value } : undefined;

const MAX = 2 ** 31 - 1;

const readers: Readonly<Record<string, Reader>> = {
  load1: decimal('load1'),
  load5: decimal('load5'),
  load15: decimal('load15'),
  cores: whole('cores', 65_536),
  memoryTotalKib: kibibytes('memoryTotal'),
  memoryAvailableKib: kibibytes('memoryAvailable'),
  diskTotalKib: kibibytes('diskTotal'),
  diskUsedKib: kibibytes('diskUsed'),
  diskAvailableKib: kibibytes('diskAvailable'),
  uptimeSeconds: whole('uptimeSeconds', MAX),
  docker: word('docker', ['absent', 'stopped', 'running', 'silent']),
  containers: whole('containers', MAX),
  nginx: word('nginx', ['absent', 'stopped', 'running']),
};

const SERVICE = /^([0-9a-f-]{36})\|(\w*)\|([^|]*)$/;
const ANSWER = /^([0-9a-f-]{36})\|(\d{3}|silent)\|(health|)$/;

type ServicesById = Record<string, ProbedService>;

/** A service has two lines, in any order. */
const addService = (services: ServicesById, value: string): void => {
  const [, id, container, words = ''] = SERVICE.exec(value) ?? [];
  if (id === undefined) return;
  const health = /\((healthy|unhealthy|health: starting)\)$/.exec(words)?.[1];
  services[id] = { ...services[id], ...(container && { container }), ...(health && { health }) };
};

const addAnswer = (services: ServicesById, value: string): void => {
  const [, id, status, at] = ANSWER.exec(value) ?? [];
  if (id === undefined) return;
  const answer = {
    status: status === 'silent' ? ('silent' as const) : Number(status),
    atHealthPath: at === 'health',
  };
  services[id] = { ...services[id], ...answer };
};

export const parseFigures = (printed: string): HealthFigures => {
  const figures: HealthFigures = {};
  const services: ServicesById = {};
  for (const line of printed.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([A-Za-z0-9]+)=(.*)$/.exec(line) ?? [];
    if (name === 'service') addService(services, value.trim());
    if (name === 'answer') addAnswer(services, value.trim());
    if (Object.hasOwn(readers, name)) Object.assign(figures, readers[name]?.(value.trim()));
  }
  const found = Object.entries(services).map(([id, one]) => [id, serviceStateOf(one)] as const);
  return found.length === 0 ? figures : { ...figures, services: Object.fromEntries(found) };
};
