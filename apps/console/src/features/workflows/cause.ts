/** Why an instance was started, in words. */
import type { WorkflowInstanceView } from '@quarterdeck/projections';

export const causeInWords = (
  { cause, by, forkedFrom }: Pick<WorkflowInstanceView, 'cause' | 'by' | 'forkedFrom'>,
  nameOf: (actor: string) => string,
): string => {
  const of = cause.name === undefined ? '' : ` ${cause.name}`;
  switch (cause.is) {
    case 'person':
      return nameOf(by);
    case 'fork':
      return `${nameOf(by)}, as a fork${forkedFrom ? ` from step ${forkedFrom.visit}` : ''}`;
    case 'workflow':
      return `workflow${of}`;
    default:
      return `${cause.is}${of}`;
  }
};
