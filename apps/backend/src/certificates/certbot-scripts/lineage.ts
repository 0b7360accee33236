/** What certbot has under a name, before anything is ordered or removed. */
import { shell } from '../../platform/ssh';
import check from './check.sh';
import { certbotConstants } from './issue';
import look from './look.sh';

export const lookScript = shell(look, ['certificate', 'known'], certbotConstants);
export const checkScript = shell(check, ['certificate', 'known', 'expected'], certbotConstants);
