/** DigitalOcean's page of consent leads back here: its answer connects the account. */
import { Alert, Button, Flex, Loader } from '@mantine/core';
import { cloud } from '@quarterdeck/contract';
import { IconAlertCircle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { send } from '../../core/calls';
import { useAppDispatch } from '../../core/hooks';
import { toApiError, type ApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { PageHeader } from '../../ui/PageHeader';
import { toast } from '../../ui/toast';

/** States already sent: each works only once, and React may run an effect twice. */
const used = new Set<string>();

export const Returned = () => {
  const [address] = useSearchParams();
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const [failed, setFailed] = useState<ApiError>();
  const state = address.get('state') ?? '';
  const code = address.get('code') || undefined;
  const error = address.get('error') || undefined;
  useEffect(() => {
    if (used.has(state)) return;
    used.add(state);
    const finish = async (): Promise<void> => {
      await dispatch(send(cloud.redirect, { state, code, error })).unwrap();
      toast.success('DigitalOcean is connected.');
      await navigate(paths.cloud(), { replace: true });
    };
    finish().catch((thrown: unknown) => setFailed(toApiError(thrown)));
  }, [state, code, error, dispatch, navigate]);
  return (
    <>
      <PageHeader title="Cloud hosting" />
      {failed ? (
        <>
          <Alert
            color="red"
            variant="light"
            role="alert"
            icon={<IconAlertCircle size={18} aria-hidden />}
            title="The account was not connected"
          >
            <div>{failed.msg}</div>
            {failed.correlationId && <div>Reference: {failed.correlationId}</div>}
          </Alert>
          <Button component={Link} to={paths.cloud()} variant="default" mt="md">
            Back to cloud hosting
          </Button>
        </>
      ) : (
        <Flex component="p" role="status" gap={10} align="center">
          <Loader size="sm" /> Connecting…
        </Flex>
      )}
    </>
  );
};
