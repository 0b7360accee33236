/** Deletes an instance with its users. If their database is away, the operator chooses whether their rows stay there. */
import { apiInstances } from '@quarterdeck/contract';
import { useChange } from '../../core/calls';
import { toApiError } from '../../core/http';
import { confirmAction } from '../../ui/confirm';

/** The answer of a call whose database did not answer. */
const AWAY = 502;

export const useInstanceRemoval = (product: string) => {
  const [removeOne] = useChange(apiInstances.delete);
  return async (id: string, name: string): Promise<unknown> => {
    const of = { productId: product, instance: { uuid: id }, name };
    try {
      return await removeOne(of).unwrap();
    } catch (thrown) {
      const { status, msg } = toApiError(thrown);
      const leavesUsers =
        status === AWAY &&
        (await confirmAction({
          title: `Delete ${name} without its users?`,
          body: `Nothing was deleted: ${msg} If you go on, the instance is deleted, and the rows of its users stay in the database.`,
          confirmLabel: 'Leave the users there',
          danger: true,
        }));
      if (!leavesUsers) throw thrown;
      return removeOne({ ...of, leaveUsers: true }).unwrap();
    }
  };
};
