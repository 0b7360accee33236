export { withoutSecrets } from './address';
export { type Config, ConfigError, hasSignInProvider, readConfig } from './config';
export { maySignUp, type SignUpRule, type Verified } from './sign-up';
