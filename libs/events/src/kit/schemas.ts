/** Schemas of a plain noun's events and calls. Kept out of the browser's first load. */
import { z } from 'zod';
import { defineEvent, type EventDefinition, type Upcast } from '@quarterdeck/log';
import * as rules from '../rules';
import { host } from '../host';
import { inWords, isWanted, type Field } from './field';
import { eventNames, hasShownSecrets, revisionsOf, type PlainNoun } from './noun';
import { versionOf } from './versions';

type Shape = Record<string, z.ZodType>;

const each = (noun: Pick<PlainNoun, 'fields'>, make: (field: Field<unknown>) => z.ZodType): Shape =>
  Object.fromEntries(Object.entries(noun.fields).map(([key, field]) => [key, make(field)]));

/** Whether the value may be `null`. */
const isNullable = ({ kind, optional, when }: Field<unknown>): boolean =>
  kind === 'reference' ||
  ((kind === 'secret' || kind === 'group' || kind === 'json') && Boolean(optional ?? when));

const groupOf = ({ fields = {} }: Field<unknown>) => ({ fields });

/** Schema of the recorded value. Looser than the input rules, which may become stricter: old events stay readable. */
const stored = (field: Field<unknown>): z.ZodType => {
  const { kind, boxed, schema = {} } = field;
  switch (kind) {
    case 'group': {
      const group = z.object(each(groupOf(field), stored));
      return isNullable(field) ? group.nullable() : group;
    }
    case 'json':
      return rules.anyJson(schema, isNullable(field));
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
    case 'secret': {
      const kept = z.object({ ref: z.string() });
      return isNullable(field) ? kept.nullable() : kept;
    }
    default:
      return z.string();
  }
};

const storedFields = (noun: Pick<PlainNoun, 'fields'>): Shape => each(noun, stored);

/** Schemas of fields in a view, where a reference also has the name of its target. */
export const shownFields = (noun: Pick<PlainNoun, 'fields'>): Shape => each(noun, shown);

const shown = (field: Field<unknown>): z.ZodType => {
  if (field.kind === 'reference') {
    const name = z.string().optional();
    const keyed = field.keyed && { uuid: z.string(), key: name };
    return z.object({ id: z.string(), name, ...keyed }).nullable();
  }
  if (field.answersName) return z.object({ id: z.int(), name: z.string() });
  if (field.kind !== 'group') return stored(field);
  const group = z.object(shownFields(groupOf(field)));
  return isNullable(field) ? group.nullable() : group;
};

/**
 * Without line ends and the mark of a byte order that editors for Windows write: a shell would run them as commands. And
 * without what was pasted before the `#!` of a program, which counts only at the very beginning.
 */
const withoutMarks = (text: string): string =>
  text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replace(/^\s+(?=#!)/, '');

const accepted = (field: Field<unknown>): z.ZodType => {
  const {
    kind,
    max,
    min = 0,
    of = [],
    optional,
    boxed,
    answersName,
    keyed,
    numbered,
    isHost,
    schema = {},
  } = field;
  switch (kind) {
    case 'group': {
      const group = rules.object(each(groupOf(field), grouped));
      return isNullable(field) ? group.nullable() : group;
    }
    case 'json':
      return rules.json(schema, max ?? 0, isNullable(field));
    case 'integer':
      return rules.integer(max).refine((value) => value >= min, { error: rules.messages.tooSmall(min) });
    case 'flag':
      return rules.boolean;
    case 'choice': {
      const option = rules.oneOf(of as readonly [string, ...string[]]);
      return numbered ? rules.numbered(option, of) : option;
    }
    case 'enumeration': {
      const id = rules.numericId(of.length);
      if (!answersName) return boxed ? rules.object({ id }) : id;
      return rules.object({ id, name: rules.optionalText() }).transform((sent) => ({ id: sent.id }));
    }
    case 'text':
      if (optional ?? field.when) return rules.optionalLine(max);
      return isHost ? host : rules.text(max);
    case 'paragraphs':
      return rules.optionalText(max);
    case 'code':
      return rules.longText(max ?? 0).overwrite(withoutMarks);
    case 'reference':
      return rules
        .object({
          id: rules.uuid,
          name: rules.optionalText(),
          ...(keyed && { uuid: rules.optionalText(), key: rules.optionalText() }),
        })
        .transform((sent) => ({ id: sent.id as string }))
        .nullable();
    case 'order':
      return rules.array(rules.uuid);
    case 'secret':
      return isNullable(field)
        ? rules
            .optionalText(max)
            .nullable()
            .transform((text) => (text?.trim() === '' ? '' : text))
        : rules.exactText(max);
  }
};

/** A group is always sent as a whole, so what it omits is empty. */
const grouped = (field: Field<unknown>): z.ZodType => {
  const empty = emptyOf(field);
  return empty === undefined ? strictly(field) : strictly(field).default(empty);
};

/** The value of an omitted field; undefined if the field is required. */
const emptyOf = (field: Field<unknown>): unknown => {
  const { kind, optional, since, omitted } = field;
  if (omitted !== undefined) return omitted;
  if (since) return since.value;
  if (isNullable(field)) return null;
  if (kind === 'order') return [];
  return (kind === 'text' && (optional ?? field.when)) || kind === 'paragraphs' ? '' : undefined;
};

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

type FieldValues = Readonly<Record<string, unknown>>;
type Problem = readonly [path: readonly string[], message: string];

/** Refused values, by path. @param before the fields before an edit, whose values may stay */
export const refusals = (
  { fields }: Pick<PlainNoun, 'fields'>,
  data: FieldValues,
  before?: FieldValues,
): readonly Problem[] =>
  Object.entries(fields).flatMap(([key, field]) => {
    if (field.strict || (isEmpty(data[key]) && !field.judgesEmpty)) return [];
    const refused = (all: FieldValues): string | undefined => field.refuses?.(all[key], all);
    const message = refused(data);
    const stays = before !== undefined && before[key] === data[key] && refused(before) !== undefined;
    const own = message === undefined || stays ? [] : [[[key], message] as const];
    return [
      ...own,
      ...inGroup(key, field, data, (group, values) => refusals(group, values, groupIn(before, key))),
    ];
  });

const groupIn = (values: FieldValues | undefined, key: string): FieldValues | undefined =>
  (values?.[key] ?? undefined) as FieldValues | undefined;

/** The problems inside a group, with the path from outside. */
const inGroup = (
  key: string,
  field: Field<unknown>,
  data: FieldValues,
  problemsOf: (group: Pick<PlainNoun, 'fields'>, values: FieldValues) => readonly Problem[],
): readonly Problem[] => {
  const values = field.kind === 'group' ? groupIn(data, key) : undefined;
  if (!values) return [];
  return problemsOf(groupOf(field), values).map(([path, message]) => [[key, ...path], message] as const);
};

/** The schema of a field's value, with the rules that look at it alone. */
const strictly = (field: Field<unknown>): z.ZodType => {
  const schema = accepted(field);
  if (!field.strict || !field.refuses) return schema;
  return schema.superRefine((value, { addIssue }) => {
    const message = field.refuses?.(value, {});
    if (message !== undefined) addIssue({ code: 'custom', message });
  });
};

/** Problems of fields that depend on other fields, by path. Fields that an edit omits are not checked. */
export const misfits = ({ fields }: Pick<PlainNoun, 'fields'>, data: FieldValues): readonly Problem[] =>
  Object.entries(fields).flatMap(([key, field]): readonly Problem[] => {
    const { when, optional, kind } = field;
    const value = data[key];
    if (value === undefined) return [];
    const tell = (message: string) => [[kind === 'reference' ? [key, 'id'] : [key], message] as const];
    const inside = inGroup(key, field, data, misfits);
    if (!when)
      return kind === 'reference' && !optional && value === null ? tell(rules.messages.required) : inside;
    const [other, ...wanted] = when;
    const exists = isWanted(field, data);
    const words = wanted.map((one) => wordOf(one, fields[other])).join(' or ');
    if (!isEmpty(value) && !exists) return tell(`only accepted when the ${inWords(other)} is ${words}`);
    return isEmpty(value) && exists && !optional ? tell(rules.messages.required) : inside;
  });

const wordOf = (value: string | number | boolean, field: Field<unknown> | undefined): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? (field?.of?.[value - 1] ?? String(value)) : value;
};

/** Returns the edit plus empty values for omitted fields whose `when` condition no longer holds. */
export const withoutUnfit = (
  { fields }: Pick<PlainNoun, 'fields'>,
  edit: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  const after = { ...before, ...edit };
  const unfit = Object.entries(fields).filter(
    ([key, field]) => !(key in edit) && !isEmpty(before[key]) && !isWanted(field, after),
  );
  return { ...edit, ...Object.fromEntries(unfit.map(([key, field]) => [key, emptyOf(field)])) };
};

/**
 * Input schema of the editable fields, for calls and forms. A secret is sent as text. A field omitted from a new record
 * is empty; a field omitted from an edit keeps its value. The edit form shows all fields except secrets and orders, so
 * there an omitted field counts as empty, unless the field cannot be empty.
 *
 * @param before the fields before the edit. Without them only the decider knows which values an edit may not set
 */
export const fieldsInput = (
  noun: Pick<PlainNoun, 'fields'>,
  of: 'new' | 'edited' | 'editForm' = 'new',
  before?: FieldValues,
) =>
  rules
    .object(
      each(noun, (field) => {
        const schema = strictly(field);
        const { kind, since, kept, optional, when } = field;
        const empty = emptyOf(field);
        const isKept = kept || since || kind === 'secret' || kind === 'order';
        const mayStay = isKept || (of === 'edited' && (when || (optional && empty !== undefined)));
        if (of !== 'new' && mayStay) return schema.optional();
        return empty === undefined ? schema : schema.default(empty);
      }),
    )
    .superRefine((data, context) => {
      const refused = of === 'new' || before ? refusals(noun, { ...before, ...data }, before) : [];
      for (const [path, message] of [...misfits(noun, data), ...refused])
        context.addIssue({ code: 'custom', path: [...path], message });
    });

/** Upcasts for earlier versions of the `Added` event: they add the fields introduced later. */
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
  const { named, within } = noun;
  const all = storedFields(noun);
  const is = eventNames(noun);
  const byName = defineEvent(z.object({ [named]: all[named] ?? z.string() }));
  const revised = revisionsOf(noun).map(({ type, keys, whole }) => {
    const shape = keys.map((key) => [key, whole ? all[key] : all[key]?.optional()]);
    return [type, defineEvent(z.object(Object.fromEntries(shape)))] as const;
  });
  return {
    [is.added]: defineEvent(
      z.object({ ...all, ...(within === undefined ? {} : { [within]: z.string() }) }),
      ...upcastsOf(noun),
    ),
    ...(noun.nameOf ? {} : { [is.renamed]: byName }),
    ...Object.fromEntries(revised),
    [is.removed]: byName,
    [is.restored]: byName,
    ...(hasShownSecrets(noun) ? { [is.revealed]: defineEvent(z.object({ field: z.string() })) } : {}),
    ...Object.fromEntries(
      Object.values(noun.commands).map(({ records, takes }) => [
        records,
        defineEvent(z.object(storedFields({ fields: takes }))),
      ]),
    ),
  };
};
