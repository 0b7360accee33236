/** Input schemas of the calls about pushed versions. */
import type { z } from 'zod';
import { json, object, optionalText, uuid } from './rules';
import type { Json } from './workflow-graph';

export const MAX_PUSH_BYTES = 1024 * 1024;

export const pushesOf = object({ service: object({ id: uuid }) });
export const pushDecision = object({ id: uuid, note: optionalText(500) });
/** What a source host sends is its own affair. */
export const pushDelivery = json({}, MAX_PUSH_BYTES) as z.ZodType<Json, Json>;
