/** `given(decider, events).when(command).then(events)`: tests deciders without a store and without a clock. */
import type { AppEvent } from '@quarterdeck/events';
import { foldEvents, traitsOf, type Decider, type DomainCommand } from '../decider';
import { DomainError, type DomainErrorCode } from '../errors';
import type { CommandMeta } from '../sessions';

export const meta: CommandMeta = {
  actor: '0193f0a0-0000-7000-8000-00000000a11c',
  workspace: '0193f0a0-0000-7000-8000-0000000000c0',
  correlationId: '0193f0a0-0000-7000-8000-00000000c0de',
  causationId: '0193f0a0-0000-7000-8000-00000000cafe',
  at: '2026-11-20T12:00:00.000Z',
  commandId: '0193f0a0-0000-7000-8000-00000000cafe',
};

export const given = <S, C extends DomainCommand, E extends AppEvent>(
  decider: Decider<S, C, E>,
  events: readonly E[],
) => ({
  when: (command: C) => {
    const decideOn = (past: readonly E[]): readonly E[] => decider.decide(command, foldEvents(decider, past));
    return {
      /** For commands declared idempotent, the command is executed twice. */
      then: (expected: readonly E[]): void => {
        const decided = decideOn(events);
        expect(decided).toEqual(expected);
        if (traitsOf(command).idempotent) expect(decideOn([...events, ...decided])).toEqual([]);
      },
      thenNothing: (): void => expect(decideOn(events)).toEqual([]),
      thenRejected: (code: DomainErrorCode, message?: string | RegExp): void => {
        let refusal: unknown;
        try {
          decideOn(events);
        } catch (error) {
          refusal = error;
        }
        expect(refusal).toBeInstanceOf(DomainError);
        expect((refusal as DomainError).code).toBe(code);
        if (message !== undefined) expect((refusal as DomainError).msg).toMatch(message);
      },
    };
  },
});
