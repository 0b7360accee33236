/** The sign-in button of one provider, with a link that switches to the next one if there are several. */
import { Alert, Anchor, Button, Stack } from '@mantine/core';
import { auth } from '@quarterdeck/contract';
import { useState } from 'react';
import { useChange } from '../../core/calls';
import { toApiError, type ApiError } from '../../core/http';
import type { ProviderView } from './provider';
import { rememberWay, type OnTheWay } from './on-the-way';
import { providerIcons } from './provider-icons';

interface ProviderStepProps {
  providers: readonly ProviderView[];
  way: OnTheWay;
  /** Text of the button before the provider's name. */
  words?: string;
}

export function ProviderStep({ providers, way, words = `Sign ${way.intent}` }: ProviderStepProps) {
  const [chosen, choose] = useState(0);
  const [leaving, setLeaving] = useState(false);
  const [error, setError] = useState<ApiError>();
  const [addressOf] = useChange(auth.url);
  const provider = providers[chosen];
  if (!provider) return null;
  const Shape = providerIcons[provider.name];

  const leave = async (): Promise<void> => {
    setLeaving(true);
    setError(undefined);
    try {
      const { url } = await addressOf({ provider: provider.name, instance: way.instance }).unwrap();
      rememberWay(way);
      window.location.assign(url);
    } catch (thrown) {
      setError(toApiError(thrown));
      setLeaving(false);
    }
  };

  return (
    <Stack gap="sm" mt="md">
      {error && (
        <Alert
          color="red"
          role="alert"
          title={error.status === 403 ? 'You cannot sign up' : `${provider.label} is not available right now`}
        >
          {error.msg}
        </Alert>
      )}
      <Button leftSection={<Shape size={18} aria-hidden />} loading={leaving} onClick={() => void leave()}>
        {words} with {provider.label}
      </Button>
      {providers.length > 1 && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => {
            setError(undefined);
            choose((chosen + 1) % providers.length);
          }}
        >
          Use {providers[(chosen + 1) % providers.length]?.label} instead
        </Anchor>
      )}
    </Stack>
  );
}
