/** Refusals of the domain. Pure: deciders throw them, `http-errors.ts` turns them into answers. */
import type { Category, Position } from '@quarterdeck/events';

/** The HTTP status of each code. */
export const statusOf = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  unprocessable: 422,
  tooMany: 429,
  /** A host or provider that we called refused or did not answer. */
  upstream: 502,
  unavailable: 503,
} as const;

export type DomainErrorCode = keyof typeof statusOf;

/** A thing that has to change before what was asked can happen. The console links to it. */
export interface HeldBy {
  category: Category;
  id: string;
  name: string;
  /** What it is a part of, outermost first. */
  within?: readonly { category: Category; id: string }[];
}

export interface DomainErrorDetail {
  /** 409: the current state, in the shape of the detail answer. */
  current?: unknown;
  /** 409: what holds it back. */
  heldBy?: readonly HeldBy[];
  /** 502: what went wrong, as a stable code. */
  code?: string;
  /** 429 and 503: seconds to wait before a retry. */
  retryAfter?: number;
  /** Position of an event recorded despite the error. The answer waits until it can be read, as after a success. */
  recorded?: Position;
}

export class DomainError extends Error {
  override name = 'DomainError';
  constructor(
    readonly code: DomainErrorCode,
    /** Shown to the operator. Contains no secrets and no stack. */
    readonly msg: string,
    /** Messages by field. */
    readonly data?: Record<string, string>,
    readonly detail: DomainErrorDetail = {},
  ) {
    super(msg);
  }
}

/** The workspace has too much costly work under way. */
export const tooBusy = (): DomainError =>
  new DomainError(
    'tooMany',
    'this workspace has many calls under way that take much work: try again in a few seconds',
    undefined,
    { retryAfter: 3 },
  );

/** An edit of a version that is no longer the newest. */
export class EditConflict extends DomainError {
  constructor(
    noun: string,
    /** Position of the newest version. */
    readonly position: Position,
  ) {
    super('conflict', `${noun} was changed by somebody else in the meantime`);
  }
}

/** Others were faster, again and again. Nothing was recorded. */
export class ChangedMeanwhile extends DomainError {
  constructor(noun: string) {
    super('unavailable', `too many changes of this ${noun} at once; please try again`, undefined, {
      retryAfter: 1,
    });
  }
}

/**
 * The edit sets a new name that was not claimed for it. Few edits do, so `UniqueNames.renamed` claims the name only
 * after this error, and tries again.
 */
export class NameNotClaimed extends DomainError {
  constructor(noun: string, name: string) {
    super('conflict', `the name ${name} is not reserved for this ${noun}`);
  }
}

/** `notFound('server')`: same message for an unknown thing and for one of another workspace. */
export const notFound = (noun: string): DomainError =>
  new DomainError('notFound', `${noun} could not be found`);

/** A field is wrong for a reason that its schema cannot know. */
export const invalidField = (field: string, message: string): DomainError =>
  new DomainError('invalid', message, { [field]: message });

export const conflict = (msg: string, current: unknown): DomainError =>
  new DomainError('conflict', msg, undefined, { current });
