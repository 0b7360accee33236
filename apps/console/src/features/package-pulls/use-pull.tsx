/** Deploys a package after confirmation; a failure is thrown in the form's own shape. */
import { packagePulls } from '@quarterdeck/contract';
import { shownAddress } from '@quarterdeck/events/inputs';
import type { ServerView } from '@quarterdeck/projections';
import { useChange } from '../../core/calls';
import type { ApiError } from '../../core/http';
import { toApiError } from '../../core/http';
import { confirmAction } from '../../ui/confirm';
import { toast } from '../../ui/toast';

interface Package {
  cdUrl: string;
  /** The log entry that has the full address. */
  deployLog?: { id: string };
  slug?: string | undefined;
  service?: string | undefined;
}

/** Puts the cause below the message that the specification requires, because it belongs to no field. */
const shown = (error: ApiError): ApiError => {
  const cause = error.data?.cdUrl;
  if (error.status !== 502 || cause === undefined) return error;
  return { ...error, data: { '': `${cause[0]?.toUpperCase() ?? ''}${cause.slice(1)}.` } };
};

export const usePull = ({ id, alias }: Pick<ServerView, 'id' | 'alias'>) => {
  const [send, { isLoading }] = useChange(packagePulls.pull);
  /**
   * @returns whether it was deployed; `false` if the user cancelled
   * @throws ApiError
   */
  const pull = async ({ cdUrl, deployLog, slug, service }: Package): Promise<boolean> => {
    const confirmed = await confirmAction({
      title: `Pull and deploy ${slug ?? 'this package'}?`,
      body: (
        <>
          The address <code>{shownAddress(cdUrl)}</code> is asked to deploy the newest version of the package
          onto <strong>{alias}</strong>. It replaces the version that runs there.
        </>
      ),
      confirmLabel: 'Pull and deploy',
    });
    if (!confirmed) return false;
    try {
      const { version } = await send({
        server: { id },
        slug,
        ...(deployLog ? { deployLog } : { cdUrl }),
        ...(service !== undefined && { serviceDeploy: { id: service } }),
      }).unwrap();
      toast.success(`${slug ?? 'The package'} was deployed in version ${version}.`);
      return true;
    } catch (error) {
      throw shown(toApiError(error));
    }
  };
  return { pull, busy: isLoading };
};
