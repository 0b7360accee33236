/**
 * Read-your-writes. A controller returns `written(body, position)`, or throws an error with `recorded`. The answer then
 * waits, for a limited time, until the read models have reached that position. Every answer reports its position.
 */
import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Position } from '@quarterdeck/events';
import type { FastifyReply } from 'fastify';
import { catchError, mergeMap, type Observable } from 'rxjs';
import { callOf } from './call';
import { type Config, CONFIG, type ProjectionRunner, PROJECTIONS } from '../tokens';
import { conflict, DomainError, EditConflict } from '../errors';
import type { Call } from '@quarterdeck/contract';

const PATIENCE_MS = 2000;

export class Written<T> {
  constructor(
    readonly body: T,
    readonly position: Position,
  ) {}
}

export const written = <T>(body: T, position: Position): Written<T> => new Written(body, position);

/** Both names that the specification uses for the id. */
export interface Ids {
  id: string;
  uuid: string;
}

/** The answer of a command with no further result: the id of its subject. */
export const done = ({ id, position }: { id: string; position: Position }): Written<Ids> =>
  written({ id, uuid: id }, position);

/**
 * Runs an edit. If somebody else was faster, the conflict contains the current state, including their change, which the
 * read models may show a moment after the log. Resolving against a stale version would conflict again.
 */
export const withCurrentOnConflict = async <T>(
  projections: Pick<ProjectionRunner, 'waitFor'>,
  edit: () => Promise<T>,
  shown: () => Promise<unknown>,
): Promise<T> => {
  try {
    return await edit();
  } catch (error) {
    if (!(error instanceof EditConflict)) throw error;
    await projections.waitFor(error.position, PATIENCE_MS);
    throw conflict(error.msg, await shown());
  }
};

@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    // Taken before the query runs: the answer contains at least everything up to this position.
    void reply.header('x-position', this.projections.position());
    const call = callOf(context);
    const checked = <T>(answer: T): T => {
      if (call && this.config.CHECK_ANSWERS === 'on') checkAnswer(call, answer);
      return answer;
    };
    const shown = async (position: Position): Promise<void> => {
      void reply.header('x-position', position);
      if (!(await this.projections.waitFor(position, PATIENCE_MS))) void reply.header('x-projected', 'false');
    };
    return next.handle().pipe(
      mergeMap(async (answer: unknown) => {
        if (!(answer instanceof Written)) return checked(answer);
        await shown(answer.position);
        return checked(answer.body);
      }),
      catchError(async (error: unknown) => {
        if (error instanceof DomainError && error.detail.recorded) await shown(error.detail.recorded);
        throw error;
      }),
    );
  }
}

/** Compares answers with the contract. Tests check every answer; production checks none. */
class AnswerDiffers extends Error {
  override name = 'AnswerDiffers';
}

/**
 * Checks the JSON as it is sent, in which undefined fields are absent.
 * @throws AnswerDiffers with the paths that differ, without their values, which may be secret
 */
const checkAnswer = ({ id, answer, produces }: Call, body: unknown): void => {
  if (produces) return;
  const sent: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body));
  const { error } = answer.safeParse(sent);
  if (!error) return;
  const places = error.issues.map(({ path, message }) => `${path.join('.') || 'the answer'}: ${message}`);
  throw new AnswerDiffers(`the answer of ${id} differs from its schema: ${places.join('; ')}`);
};
