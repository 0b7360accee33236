/** The schemas of a plain noun: what its events hold, what its calls accept. Not for the browser's first load. */
import { z } from 'zod';
import { defineEvent, type EventDefinition, type Upcast } from '../define-event';
import * as rules from '../rules';
import { inWords, type Field } from './field';
import { eventNames, hasSecrets, isRevised, versionOf, type PlainNoun } from './noun';

type Shape = Record<string, z.ZodType>;

const each = (noun: Pick<PlainNoun, 'fields'>, make: (field: Field<unknown>) => z.ZodType): Shape =>
  Object.fromEntries(Object.entries(noun.fields).map(([key, field]) => [key, make(field)]));

/** As it was recorded: rules for new input may become stricter, and old events stay readable. */
const stored = ({ kind, boxed }: Field<unknown>): z.ZodType => {
  switch (kind) {
    case 'integer':
      return z.int();
    case 'enumeration':
      return boxed ? z.object({ id: z.int() }) : z.int();
    case 'flag':
      return z.boolean();
    case 'reference':
      return z.object({ id: z.string() }).nullable();
    case 'order':
      return z.array(z.string());
    case 'secret':
      return z.object({ ref: z.string() });
    default:
      return z.string();
  }
};

const storedFields = (noun: Pick<PlainNoun, 'fields'>): Shape => each(noun, stored);

/** Of the fields in a view, which also has the names of what references lead to. */
export const shownFields = (noun: Pick<PlainNoun, 'fields'>): Shape =>
  each(noun, (field) =>
    field.kind === 'reference'
      ? z.object({ id: z.string(), name: z.string().optional() }).nullable()
      : stored(field),
  );

const accepted = ({ kind, max, min = 0, of = [], optional, boxed, form }: Field<unknown>): z.ZodType => {
  switch (kind) {
    case 'integer':
      return rules.integer(max).refine((value) => value >= min, { error: rules.messages.tooSmall(min) });
    case 'flag':
      return rules.boolean;
    case 'choice':
      return rules.oneOf(of as readonly [string, ...string[]]);
    case 'enumeration': {
      const id = rules.numericId(of.length);
      return boxed ? rules.object({ id }) : id;
    }
    case 'text': {
      if (optional) return rules.optionalLine(max).default('');
      const line = rules.text(max);
      return form ? line.refine((value) => form.is.test(value), { error: form.error }) : line;
    }
    case 'paragraphs':
      return rules.optionalText(max).default('');
    case 'reference':
      return rules
        .object({ id: rules.uuid, name: rules.optionalText() })
        .transform(({ id }) => ({ id }))
        .nullable()
        .default(null);
    case 'order':
      return rules.array(rules.uuid);
    case 'secret':
      return rules.text(max);
  }
};

/** Of fields that depend on another one. */
const conditions =
  ({ fields }: Pick<PlainNoun, 'fields'>) =>
  (data: Record<string, unknown>, context: z.RefinementCtx): void => {
    for (const [key, { when, optional, kind }] of Object.entries(fields)) {
      if (!when) {
        if (kind === 'reference' && !optional && data[key] === null)
          context.addIssue({ code: 'custom', path: [key, 'id'], message: rules.messages.required });
        continue;
      }
      const [other, value] = when;
      const isGiven = data[key] !== null && data[key] !== '';
      const word = fields[other]?.of?.[value - 1] ?? String(value);
      const path = kind === 'reference' ? [key, 'id'] : [key];
      const refuse = (message: string): void => context.addIssue({ code: 'custom', path, message });
      if (isGiven && data[other] !== value) refuse(`only accepted when the ${inWords(other)} is ${word}`);
      if (!isGiven && data[other] === value && !optional) refuse(rules.messages.required);
    }
  };

/**
 * The editable fields as calls and forms check them. An edit keeps what it may leave out: secrets, an order, fields
 * that came later, and those that say so. A secret is text on its way in.
 */
export const fieldsInput = (noun: Pick<PlainNoun, 'fields'>, of: 'new' | 'edited' = 'new') =>
  rules
    .object(
      each(noun, (field) => {
        const schema = accepted(field);
        const { kind, since, kept } = field;
        if (of === 'edited')
          return kept || since || kind === 'secret' || kind === 'order' ? schema.optional() : schema;
        return kind === 'order' || since ? schema.default(since?.value ?? []) : schema;
      }),
    )
    .superRefine(conditions(noun));

/** Earlier versions of the event that adds a thing lack the fields that came later. */
const upcastsOf = (noun: PlainNoun): readonly Upcast[] =>
  Array.from({ length: versionOf(noun) - 1 }, (_, at) => (data) => ({
    ...(data as object),
    ...Object.fromEntries(
      Object.entries(noun.fields).flatMap(([key, { since }]) =>
        since?.version === at + 2 ? [[key, since.value]] : [],
      ),
    ),
  }));

export const eventsOf = (noun: PlainNoun): Record<string, EventDefinition> => {
  const { category, named, within } = noun;
  const all = storedFields(noun);
  const { [named]: name = z.string(), ...others } = all;
  const is = eventNames(category);
  const byName = defineEvent(z.object({ [named]: name }));
  const changed = Object.fromEntries(Object.entries(others).map(([key, schema]) => [key, schema.optional()]));
  return {
    [is.added]: defineEvent(
      z.object({ ...all, ...(within === undefined ? {} : { [within]: z.string() }) }),
      ...upcastsOf(noun),
    ),
    [is.renamed]: byName,
    ...(isRevised(noun) ? { [is.revised]: defineEvent(z.object(changed)) } : {}),
    [is.removed]: byName,
    [is.restored]: byName,
    ...(hasSecrets(noun) ? { [is.revealed]: defineEvent(z.object({ field: z.string() })) } : {}),
  };
};
