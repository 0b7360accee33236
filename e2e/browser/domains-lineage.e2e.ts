// What certbot has on a server before the console comes: somebody else's certificate, a damaged folder, a lost account.
// covers: DOM-08
import { certificateTestsLack, test, UPSTREAM } from './certificates-house';
import { addDomain, call, registerServer } from './domains-house';
import { check } from './every-look';
import { expect } from './house';

const L = '/etc/letsencrypt';

// On machines without throw-away servers, their own test reports that.
if (certificateTestsLack().length === 0)
  test('the question about a certificate on the server is asked before an order and before a removal', async ({
    bind,
    host,
    acme,
    person,
  }, info) => {
    const { page } = await person('ada@example.com');
    const inside = async (line: string): Promise<void> => {
      const { code, out } = await host.inside(line);
      expect([code, code === 0 ? '' : out]).toEqual([0, '']);
    };
    const server = await registerServer(page, host, 'found-1');
    const { id, serverName } = await addDomain(page, { bind, host, server, label: 'found' });
    const www = `www.${serverName}`;
    await call(page, 'domain/location/insert', { domain: { id }, data: { location: '/', url: UPSTREAM } });
    await inside(
      `mkdir -p /srv/found
      echo 'server { listen 80; server_name ${serverName} ${www}; root /srv/found; }' > /etc/nginx/conf.d/found.conf
      nginx -s reload
      until curl -s -o /dev/null -H 'Host: ${www}' http://127.0.0.1/; do sleep 0.1; done
      certbot certonly -n --cert-name ${serverName} -d ${serverName} -d ${www} --webroot -w /srv/found \
        --server ${acme.directoryUrl} --agree-tos --register-unsafely-without-email --deploy-hook 'systemctl reload postfix'
      echo 'server { listen 80; server_name ${www}; root /srv/found; }' > /etc/nginx/conf.d/found.conf
      nginx -s reload`,
    );
    const issued = page.getByRole('region', { name: 'Issued certificate' });
    const question = page.getByRole('dialog');
    await page.goto(`/app/domain/${id}/edit?tab=certificate`);

    await test.step('adopted', async () => {
      await issued.getByRole('button', { name: 'Issue certificate' }).click();
      await expect(question).toContainText('was not made by this console');
      await expect(question).toContainText('systemctl reload postfix');
      await expect(question.getByRole('button', { name: 'Issue certificate' })).toBeDisabled();
      await check(page, 'lineage-theirs', info);
      await question.getByRole('radio', { name: 'Adopt it' }).check();
      await expect(question).toContainText('root "/srv/found"');
      await check(page, 'lineage-adopt', info);
      await question.getByRole('button', { name: 'Adopt certificate' }).click();
      await expect(issued).toContainText(`${serverName}, ${www}`);
      await expect(issued).toContainText('adopted: renewed with the settings of its owner (webroot)');
      await expect(issued.getByRole('button', { name: 'Renew certificate' })).toBeEnabled();
      await expect(page.getByText('changes not applied')).toHaveCount(0);
      await check(page, 'lineage-adopted', info);
    });

    await test.step('removed from the console only', async () => {
      await issued.getByRole('button', { name: 'Remove' }).click();
      await question.getByRole('radio', { name: /Delete it on/ }).check();
      await expect(question.getByRole('button', { name: 'Remove certificate' })).toBeDisabled();
      await check(page, 'lineage-remove', info);
      await question.getByRole('radio', { name: /Leave it on/ }).check();
      await question.getByRole('button', { name: 'Remove certificate' }).click();
      await expect(page.getByText('No certificate issued yet')).toBeVisible();
      await inside(`test -e ${L}/renewal/${serverName}.conf`);
      await expect(issued.getByRole('button', { name: 'Issue certificate' })).toBeEnabled();
    });

    await test.step('issued beside a damaged folder', async () => {
      await inside(
        `cp -rL ${L}/live/${serverName} /tmp/x && rm -r ${L}/live/${serverName} && mv /tmp/x ${L}/live/${serverName}`,
      );
      await issued.getByRole('button', { name: 'Issue certificate' }).click();
      await expect(question).toContainText('holds copies instead of links');
      await question.getByRole('radio', { name: /beside it/ }).check();
      await expect(question).toContainText('Live → Generated');
      await check(page, 'lineage-broken', info);
      await question.getByRole('button', { name: 'Issue certificate' }).click();
      await expect(issued).toContainText(`quarterdeck-${serverName}`);
      await expect(issued.getByRole('button', { name: 'Renew certificate' })).toBeEnabled();
    });

    await test.step('ordered with a new account', async () => {
      await acme.stop();
      await acme.start();
      await issued.getByRole('button', { name: 'Renew certificate' }).click();
      await question.getByRole('button', { name: 'Renew certificate' }).click();
      await expect(issued.getByRole('button', { name: 'Register a new account' })).toBeEnabled();
      await check(page, 'account-forgotten', info);
      await issued.getByRole('button', { name: 'Register a new account' }).click();
      await question.getByRole('button', { name: 'Register and order' }).click();
      await expect(issued).toContainText('Renewed');
      await expect(issued).not.toContainText('The last request was rejected');
    });
  });
