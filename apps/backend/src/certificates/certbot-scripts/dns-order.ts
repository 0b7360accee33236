/**
 * An order whose names are proved in DNS: one script begins the order and ends when certbot waits, one lets it go on, and
 * one ends it. `dns-order.sh` says how.
 */
import { challengeName, type TextRecord } from '../../dns';
import { shell, type ShellCommand } from '../../platform/ssh';
import authHook from './auth-hook.sh';
import dnsFinish from './dns-finish.sh';
import dnsOrder from './dns-order.sh';
import dnsStop from './dns-stop.sh';
import { certbotConstants, orderNames, orderOf, type CertificateOrder } from './issue';

const constants = { ...certbotConstants, auth_hook_script: authHook.text };
const beginOrder = shell(dnsOrder, orderNames, constants);
export const dnsFinishScript = shell(dnsFinish, ['certificate', 'verdict'], constants);
export const dnsStopScript = shell(dnsStop, ['certificate'], constants);

export const dnsOrderScript = (
  order: Omit<CertificateOrder, 'webroot'> & { names: readonly string[]; known: readonly string[] },
): ShellCommand => beginOrder(orderOf(order));

/** What the authority wants to find in DNS. */
export const challengesIn = (report: Record<string, string>): TextRecord[] =>
  Object.entries(report).flatMap(([name, value]) => {
    const [, domain, text] = /^(\S+) (\S+)$/.exec(value) ?? [];
    return /^challenge\d+$/.test(name) && domain !== undefined && text !== undefined
      ? [{ name: challengeName(domain), text }]
      : [];
  });
