/** Settings of the whole site. They go live with its configuration. */
import { domains } from '@quarterdeck/contract';
import { siteSettings, type SiteSettings as Settings } from '@quarterdeck/events';
import { siteSettingsEdit } from '@quarterdeck/events/inputs';
import type { DomainView } from '@quarterdeck/projections';
import { Fragment, useMemo } from 'react';
import { useChange } from '../../../core/calls';
import { toApiError, type ApiError } from '../../../core/http';
import { confirmAction } from '../../../ui/confirm';
import { EditInPlace, useEditBase } from '../../../ui/EditInPlace';
import type { InputField } from '../../../ui/form/fields';
import { ResourceForm } from '../../../ui/ResourceForm';
import { toast } from '../../../ui/toast';
import { settingField } from '../setting-fields';
import { Card } from '../../../ui/Card';
import { Fact, Facts } from '../../../ui/Facts';

const fields: readonly InputField[] = [
  settingField(siteSettings, 'hsts'),
  settingField(siteSettings, 'trustedProxies'),
  settingField(siteSettings, 'realAddress', { when: ({ trustedProxies }) => trustedProxies !== '' }),
];

export const SiteSettings = ({ domain }: { domain: DomainView }) => {
  const { settings = none } = domain;
  return (
    <Card aria-label="Site settings">
      <EditInPlace
        title="Site settings"
        name="settings"
        note="They apply to all locations, and go live with the configuration."
        view={<SettingFacts settings={settings} />}
        form={(done) => <EditForm domain={domain} onDone={done} />}
      />
    </Card>
  );
};

const none: Settings = {};

const SettingFacts = ({ settings }: { settings: Settings }) => (
  <Facts>
    {fields.map(({ name, label, when, ...field }) =>
      when?.({ trustedProxies: '', ...settings }) === false ? null : (
        <Fragment key={name}>
          <Fact label={label}>{wordsOf(field, settings[name as keyof Settings])}</Fact>
        </Fragment>
      ),
    )}
  </Facts>
);

const wordsOf = ({ options }: Pick<InputField, 'options'>, value: string | undefined): string =>
  value === undefined ? 'default' : (options?.find((option) => option.value === value)?.label ?? value);

/** What visitors will notice of a change of HSTS, which cannot be taken back at once. */
const warnings: Record<NonNullable<Settings['hsts']>, string> = {
  on: 'For a year after each visit, browsers open it only by HTTPS, and let nobody pass a warning about its certificate. Turning it off later takes until each visitor has come back.',
  off: 'Browsers that know it go on to use only HTTPS, for up to a year, until they come by HTTPS once more and forget it. Keep a valid certificate until then: without one these visitors see an error that they cannot pass.',
  app: 'From then on only the app decides. What browsers were told before stays with them, for up to a year, unless the app tells them something else.',
};

const same = (a: DomainView, b: DomainView): boolean =>
  JSON.stringify(a.settings) === JSON.stringify(b.settings);

const asFormHolds = (error: ApiError): ApiError => {
  const current = error.current as DomainView | undefined;
  return current?.settings === undefined && current?.revision === undefined
    ? error
    : { ...error, current: { ...current.settings, revision: current.revision } };
};

const EditForm = ({ domain, onDone }: { domain: DomainView; onDone: () => void }) => {
  const [change] = useChange(domains.settings);
  const { opened, revision, touch } = useEditBase(domain, same);
  const initial = useMemo(() => ({ ...opened.settings }), [opened]);
  return (
    <ResourceForm
      label="Edit site settings"
      schema={siteSettingsEdit}
      fields={fields}
      initial={initial}
      submitLabel="Save"
      onCancel={onDone}
      onTouched={touch}
      onSubmit={async (settings, { current }) => {
        const { hsts = 'on' } = settings;
        if (hsts !== (opened.settings?.hsts ?? 'on')) {
          const sure = await confirmAction({
            title: `Change HSTS of ${domain.serverName}?`,
            body: warnings[hsts],
            confirmLabel: 'Change HSTS',
          });
          if (!sure) return false;
        }
        try {
          await change({ id: domain.id, settings, revision: revision(current) }).unwrap();
        } catch (thrown) {
          throw asFormHolds(toApiError(thrown));
        }
        toast.success('The settings were saved. Apply the configuration to make them live.');
        onDone();
      }}
    />
  );
};
