import { workflowVersions } from '@quarterdeck/contract';
import { useAnswer } from '../../core/calls';

/** The newest version, and how many changes of the draft are not in it. */
export const useUnpublished = (id: string) => {
  const { data: all } = useAnswer(workflowVersions.list, { id });
  const newest = all?.[0]?.version;
  const compared = useAnswer(
    workflowVersions.compare,
    { id, from: newest ?? 0 },
    { skip: all === undefined },
  );
  return { newest, isKnown: all !== undefined, changes: compared.currentData?.changes };
};
