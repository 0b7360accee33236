/** The sign-in button of one provider, with a link that switches to the next one if there are several. */
import { Alert, Anchor, Button, Stack } from '@mantine/core';
import { auth } from '@quarterdeck/contract';
import { useState } from 'react';
import { useChange } from '../../core/calls';
import { toApiError } from '../../core/http';
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
  const [message, setMessage] = useState<string>();
  const [addressOf] = useChange(auth.url);
  const provider = providers[chosen];
  if (!provider) return null;
  const Shape = providerIcons[provider.name];

  const leave = async (): Promise<void> => {
    setLeaving(true);
    setMessage(undefined);
    try {
      const { url } = await addressOf({ provider: provider.name, instance: way.instance }).unwrap();
      rememberWay(way);
      window.location.assign(url);
    } catch (thrown) {
      setMessage(toApiError(thrown).msg);
      setLeaving(false);
    }
  };

  return (
    <Stack gap="sm" mt="md">
      {message && (
        <Alert color="red" role="alert" title={`${provider.label} is not available right now`}>
          {message}
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
            setMessage(undefined);
            choose((chosen + 1) % providers.length);
          }}
        >
          Use {providers[(chosen + 1) % providers.length]?.label} instead
        </Anchor>
      )}
    </Stack>
  );
}
