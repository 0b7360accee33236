/** Parses the input of a call, or answers 400 with the first message of each field. */
import type { PipeTransform } from '@nestjs/common';
import { fieldMessages } from '@quarterdeck/events/inputs';
import type { z } from 'zod';
import { DomainError } from '../errors';

export class ValidPipe<S extends z.ZodType> implements PipeTransform<unknown, z.infer<S>> {
  constructor(
    readonly schema: S,
    private readonly specified: (value: unknown) => unknown = (value) => value,
  ) {}

  transform(value: unknown): z.infer<S> {
    // A call without a body counts as an empty object, so that missing fields are named one by one.
    const result = this.schema.safeParse(this.specified(value ?? {}));
    if (result.success) return result.data;
    const data = fieldMessages(result.error);
    throw new DomainError('invalid', Object.values(data)[0] ?? 'this input is not accepted', data);
  }
}

export const valid = <S extends z.ZodType>(
  schema: S,
  specified?: (value: unknown) => unknown,
): ValidPipe<S> => new ValidPipe(schema, specified);
