/** The question before a change is saved that breaks callers. */
import type { ApiChange } from '@quarterdeck/api';
import type { ConfirmOptions } from '../../ui/confirm';
import { Bullets } from '../../ui/List';

export const breakingQuestion = (breaking: readonly ApiChange[]): ConfirmOptions => ({
  title: 'Save a change that breaks callers?',
  body: (
    <Bullets aria-label="Breaking changes">
      {breaking.map(({ endpoint: name, message }) => (
        <li key={message}>
          {name}: {message}
        </li>
      ))}
    </Bullets>
  ),
  confirmLabel: 'Save anyway',
  danger: true,
  dismissLabel: 'Keep editing',
});
