/** An endpoint: when it is called, by whom, with what, and what it does. */
import { z } from 'zod';
import { blockShape } from './blocks';
import { LIMITS } from './limits';
import { mappingShape, nameShape } from './values';

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
export const PERMISSIONS = ['app', 'admin', 'superadmin'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const BODY_TYPES = [
  'String',
  'Int',
  'Long',
  'Boolean',
  'LocalDate',
  'LocalDateTime',
  'LocalTime',
  'BigDecimal',
  'Double',
  'JSON',
  'Uuid',
  'Object',
] as const;
export type BodyType = (typeof BODY_TYPES)[number];

/** `list`: a list of such values. `max`: characters of a text, items of a list. `shape`: the fields of an Object. */
export interface BodyField {
  type: BodyType;
  optional?: boolean | undefined;
  list?: boolean | undefined;
  max?: number | undefined;
  shape?: BodyShape | undefined;
}
export type BodyShape = { [name: string]: BodyField };

const DEEPEST = 6;

const bodyShapeOf = (levels: number): z.ZodType<BodyShape> =>
  z
    .record(
      nameShape,
      z.strictObject({
        type: z.enum(BODY_TYPES),
        optional: z.boolean().optional(),
        list: z.boolean().optional(),
        max: z.int().min(1).max(LIMITS.text).optional(),
        shape: (levels === 1
          ? z.undefined(`at most ${DEEPEST} levels of objects`)
          : bodyShapeOf(levels - 1)
        ).optional(),
      }),
    )
    .refine((given) => Object.keys(given).length <= LIMITS.fields, `at most ${LIMITS.fields} fields`);

/** Fields of the body that are not listed are refused. */
export const bodyShapeShape = bodyShapeOf(DEEPEST);

export const pathShape = z
  .string()
  .max(LIMITS.path)
  .regex(
    /^\/(?:(?::[A-Za-z]\w{0,99}|[A-Za-z0-9._~-]+)(?:\/(?::[A-Za-z]\w{0,99}|[A-Za-z0-9._~-]+))*)?$/,
    'a path such as /orders/:id: letters, digits, and - . _ ~ between slashes',
  )
  .refine(
    (path) => !/\/\.\.?(?:\/|$)/.test(path),
    'nobody could call it: callers take . and .. between slashes out of an address',
  );

/** `permissions`: who may call it; none: everybody, without signing in. `statusOut`: default 200. */
export const endpointShape = z.strictObject({
  method: z.enum(METHODS),
  path: pathShape,
  permissions: z.array(z.enum(PERMISSIONS)).max(PERMISSIONS.length).optional(),
  statusOut: z
    .int('Status outside of accepted range')
    .min(200, 'Status outside of accepted range')
    .max(299, 'Status outside of accepted range')
    .optional(),
  tag: z.string().max(100).optional(),
  bodyShape: bodyShapeShape.nullable().optional(),
  routeChainMap: mappingShape.optional(),
  blocks: z.array(blockShape).max(LIMITS.blocks, `at most ${LIMITS.blocks} blocks`),
});
export type Endpoint = z.infer<typeof endpointShape>;

/** `/orders/:id` has `id`. */
export const parametersOf = (path: string): string[] =>
  [...path.matchAll(/\/:([A-Za-z]\w*)/g)].map(([, name = '']) => name);
