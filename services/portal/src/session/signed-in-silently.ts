import { UserManager } from 'oidc-client-ts';

// Runs in the hidden frame of a silent sign-in, and passes the provider's answer from the frame's URL to the page.
await new UserManager({ authority: '', client_id: '', redirect_uri: '' }).signinSilentCallback();
