/** How requests and their answers are named on the pages. */
import type { request, requestParam } from '@quarterdeck/events';
import { product, requestDataTypes, requestLocations, requestMethods } from '@quarterdeck/events';
import type { ViewOf } from '@quarterdeck/projections';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { plainPath } from '../../core/paths';
import { StateBadge } from '../../ui/StateBadge';
import type { Tone } from '../../ui/tone';

export type RequestView = ViewOf<typeof request>;
export type ParamView = ViewOf<typeof requestParam>;

export const methodOf = ({ method }: RequestView): string => requestMethods[method.id - 1] ?? '';
export const typeOf = ({ dataType }: ParamView): string => requestDataTypes[dataType.id - 1] ?? '';

/** `limit (Params)` */
export const placeOf = (place: ParamView['input']): string =>
  place === null ? '' : `${place.name} (${requestLocations[place.paramType.id - 1] ?? ''})`;

export const ProductLink = ({ request: { product: of } }: { request: RequestView }) =>
  of === null ? null : (
    <Link to={plainPath(product, of.id)}>{(of as { name?: string }).name ?? 'deleted'}</Link>
  );

export const toneOf = (status: number): Tone => {
  if (status === 0) return 'quiet';
  if (status < 300) return 'good';
  return status < 400 ? 'info' : status < 500 ? 'warn' : 'bad';
};
const icons: Partial<Record<Tone, typeof IconCircleX>> = {
  good: IconCircleCheck,
  info: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconCircleX,
};

/** The status of an answer; that of one which a client recorded is not known. */
export const StatusBadge = ({ status, statusText = '' }: { status: number; statusText?: string }) => {
  const tone = toneOf(status);
  const label = status === 0 ? 'recorded' : `${status} ${statusText}`.trim();
  const icon = icons[tone];
  return <StateBadge state={label} tone={tone} {...(icon && { icon })} />;
};

export const durationInWords = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
