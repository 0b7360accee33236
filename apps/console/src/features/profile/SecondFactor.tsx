/** The user's own second factors and recovery codes. */
import { Box, Button, Group } from '@mantine/core';
import { secondFactors, type Answer } from '@quarterdeck/contract';
import { useState } from 'react';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast, PresentOnly } from '../../core/as-of/in-past';
import { ActionFailure } from '../../records/runs';
import { AddFactor } from '../../records/second-factor/AddFactor';
import { RecoveryCodes } from '../../records/second-factor/RecoveryCodes';
import { withProof } from '../../records/second-factor/fresh-proof';
import { count } from '../../ui/count';
import { DataView } from '../../ui/DataView';
import { toast } from '../../ui/toast';
import { useAction, type Act } from '../../ui/use-action';
import { FactorRow } from './FactorRow';
import { Note } from '../../ui/Note';
import { Title } from '../../ui/heading';
import { Lines } from '../../ui/List';

export function SecondFactor() {
  return (
    <Box component="section" maw={760} mt={32} aria-labelledby="second-factor">
      <Group component="header" justify="space-between" gap="8px 16px">
        <Title id="second-factor" fz={16}>
          Second factor
        </Title>
      </Group>
      <PresentOnly what="Your second factors">
        <Factors />
      </PresentOnly>
    </Box>
  );
}

function Factors() {
  const query = useAnswer(secondFactors.list, {}, { refetchOnMountOrArgChange: true });
  const { act, failure, dismiss } = useAction();
  return (
    <>
      <Note m="4px 0 12px">
        Asked for at every sign-in: a code of an app on your phone, or a passkey. Whoever has only your
        account at the provider, or a sign-in link, does not get in.
      </Note>
      <ActionFailure failure={failure} onClose={dismiss} />
      <DataView query={query} what="Second factors">
        {(list) => (
          <>
            {list.factors.length > 0 && (
              <Lines>
                {list.factors.map((factor) => (
                  <FactorRow
                    key={factor.id}
                    factor={factor}
                    keep={list.demanded && list.factors.length === 1}
                    act={act}
                  />
                ))}
              </Lines>
            )}
            {list.factors.length > 0 && <Codes left={list.recoveryCodesLeft} act={act} />}
            <AddFactor onAdded={() => toast.success('The second factor was added.')} />
          </>
        )}
      </DataView>
    </>
  );
}

interface CodesProps {
  left: Answer<typeof secondFactors.list>['recoveryCodesLeft'];
  act: Act;
}

function Codes({ left, act }: CodesProps) {
  const [make, { isLoading }] = useChange(secondFactors.recoveryCodes);
  const [codes, setCodes] = useState<readonly string[]>();

  const renew = () =>
    act({
      ask: {
        title: 'Make new recovery codes?',
        body: 'Your present recovery codes stop working at once.',
        confirmLabel: 'Make new codes',
        danger: left > 0,
      },
      send: () => withProof(() => make().unwrap()),
      done: ({ recoveryCodes }) => setCodes(recoveryCodes),
      failed: 'No recovery codes were made',
    });

  if (codes) return <RecoveryCodes codes={codes} onKept={() => setCodes(undefined)} />;
  return (
    <Group gap="8px 16px" my={12}>
      <span>{left === 0 ? 'No recovery codes are left.' : `${count(left, 'recovery code')} left.`}</span>
      <DisabledInPast>
        <Button variant="default" size="xs" loading={isLoading} onClick={() => void renew()}>
          Make new codes…
        </Button>
      </DisabledInPast>
    </Group>
  );
}
